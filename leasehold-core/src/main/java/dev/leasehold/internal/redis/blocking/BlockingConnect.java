package dev.leasehold.internal.redis.blocking;

import dev.leasehold.internal.redis.path.ServerRoute;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
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
            throw failure(route, "no time was left to open one", null);
        }
        CompletableFuture<RedisConnection> opening = route.connect(
                        ConnectionPurpose.COMMANDS, cause -> {}, timeoutNanos)
                .toCompletableFuture();
        try {
            return await(opening, time, timeoutNanos);
        } catch (TimeoutException e) {
            CompletionStage<Void> unused = opening.thenAccept(RedisConnection::close);
            throw failure(route, "none was open in time", e);
        } catch (ExecutionException | CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw failure(route, String.valueOf(e.getCause()), e);
        }
    }

    private static RedisConnection await(CompletableFuture<RedisConnection> opening, TimeSource time, long timeoutNanos)
            throws ExecutionException, TimeoutException {
        // Complete already, unless the route has to find its server first.
        if (opening.isDone()) {
            return opening.join();
        }
        long until = time.nanoTime() + timeoutNanos;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return opening.get(until - time.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static TransportException failure(ServerRoute route, String reason, @Nullable Throwable cause) {
        return new TransportException("no connection to Redis at " + route.address() + ": " + reason, false, cause);
    }
}
