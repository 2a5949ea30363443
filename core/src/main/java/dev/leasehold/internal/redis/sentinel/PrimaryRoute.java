package dev.leasehold.internal.redis.sentinel;

import dev.leasehold.internal.redis.path.Failures;
import dev.leasehold.internal.redis.path.ServerRoute;
import dev.leasehold.internal.redis.path.UninterruptibleWait;
import dev.leasehold.internal.redis.server.DirectRoute;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.ConnectorInfo.Trait;
import dev.leasehold.spi.PushListener;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.RedisConnector;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** The way to whichever server the Sentinels name, which are asked before each connection. */
public final class PrimaryRoute implements ServerRoute {

    private final RedisConnector connector;
    private final Sentinels sentinels;
    private final TimeSource time = TimeSource.system();

    /** Opens nothing yet. */
    public PrimaryRoute(RedisConnector connector, Sentinels sentinels) {
        this.connector = connector;
        this.sentinels = sentinels;
    }

    @Override
    public String address() {
        return connector.info().address();
    }

    @Override
    public CompletionStage<RedisConnection> connect(
            ConnectionPurpose purpose, PushListener listener, long timeoutNanos) {
        CompletableFuture<RedisAddress> primary = sentinels.primary();
        if (connector.info().is(Trait.BLOCKING) && !purpose.receivesMessages()) {
            long deadline = time.nanoTime() + timeoutNanos;
            RedisAddress server = await(primary, timeoutNanos);
            return connect(server, purpose, listener, Math.max(1, deadline - time.nanoTime()));
        }
        return primary.thenCompose(server -> connect(server, purpose, listener, timeoutNanos));
    }

    private CompletionStage<RedisConnection> connect(
            RedisAddress server, ConnectionPurpose purpose, PushListener listener, long timeoutNanos) {
        return DirectRoute.toServer(connector, server)
                .connect(purpose, listener, timeoutNanos)
                .thenApply(connection -> {
                    // If a failover happened during the connect, the path queries the Sentinels again.
                    if (!sentinels.isPrimary(server)) {
                        connection.close();
                        throw new TransportException(server + " is not the primary any more", false, null);
                    }
                    return connection;
                });
    }

    private RedisAddress await(CompletableFuture<RedisAddress> primary, long timeoutNanos) {
        try {
            return UninterruptibleWait.await(primary, time, timeoutNanos);
        } catch (ExecutionException e) {
            throw Failures.of(e, false, address());
        } catch (TimeoutException e) {
            throw new TransportException("no answer from the Sentinels at " + address(), false, e);
        }
    }
}
