package dev.leasehold.internal.redis.blocking;

import dev.leasehold.internal.redis.path.ServerRoute;
import dev.leasehold.internal.redis.path.UninterruptibleWait;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Opens connections on threads that may block. */
final class BlockingConnect {

    private BlockingConnect() {}

    /**
     * Opens a connection for commands. An interrupt does not end the wait; the interrupt status is kept.
     *
     * @throws TransportException if there is none in time; nothing was sent
     */
    static RedisConnection open(ServerRoute route, TimeSource time, long timeoutNanos) {
        if (timeoutNanos <= 0) {
            throw unavailable(route, "no time was left to open one", null);
        }
        CompletableFuture<RedisConnection> opening = route.connect(
                        ConnectionPurpose.COMMANDS, cause -> {}, timeoutNanos)
                .toCompletableFuture();
        try {
            return UninterruptibleWait.await(opening, time, timeoutNanos);
        } catch (TimeoutException e) {
            CompletionStage<Void> unused = opening.thenAccept(RedisConnection::close);
            throw unavailable(route, "none was open in time", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw unavailable(route, String.valueOf(e.getCause()), e);
        }
    }

    /** Returns the failure of a command for which there is no connection, so that nothing was sent. */
    static TransportException unavailable(ServerRoute route, String reason, @Nullable Throwable cause) {
        return new TransportException("no connection to Redis at " + route.address() + ": " + reason, false, cause);
    }
}
