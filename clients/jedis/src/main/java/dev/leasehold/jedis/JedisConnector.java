package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.PushListener;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.RedisConnector;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Gives connections of Jedis to the core, and knows those that are open. */
abstract class JedisConnector implements RedisConnector {

    /** For connections whose own timeouts are settings of Jedis. */
    static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

    private final ConnectorInfo info;
    private final Set<RedisConnection> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    JedisConnector(ConnectorInfo info) {
        this.info = info;
    }

    /** Opens or borrows a connection, or throws what Jedis throws. An interrupt does not end the wait, and is kept. */
    abstract JedisConnection open(@Nullable RedisAddress to, ConnectionPurpose purpose, long timeoutNanos);

    @Override
    public final ConnectorInfo info() {
        return info;
    }

    @Override
    public final CompletionStage<RedisConnection> connect(
            @Nullable RedisAddress to, ConnectionPurpose purpose, PushListener listener, long timeoutNanos) {
        try {
            JedisConnection made = open(to, purpose, timeoutNanos);
            open.add(made);
            made.onEnd(cause -> {
                open.remove(made);
                listener.closed(cause);
            });
            if (closed) {
                made.abandon();
            }
            return CompletableFuture.completedFuture(made);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(Failures.unsent(e, to == null ? info.address() : to.toString()));
        }
    }

    @Override
    public final void close() {
        closed = true;
        open.forEach(RedisConnection::abandon);
    }
}
