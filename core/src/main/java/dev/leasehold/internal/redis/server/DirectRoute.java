package dev.leasehold.internal.redis.server;

import dev.leasehold.internal.redis.blocking.ListeningConnection;
import dev.leasehold.internal.redis.path.ServerRoute;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.ConnectorInfo.Trait;
import dev.leasehold.spi.PushListener;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.RedisConnector;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The way to a server whose address is known, or to the own server of a client. */
public final class DirectRoute implements ServerRoute {

    private final RedisConnector connector;
    private final @Nullable RedisAddress to;
    private final String address;
    private final UnaryOperator<ConnectionPurpose> purposes;

    private DirectRoute(
            RedisConnector connector,
            @Nullable RedisAddress to,
            String address,
            UnaryOperator<ConnectionPurpose> purposes) {
        this.connector = connector;
        this.to = to;
        this.address = address;
        this.purposes = purposes;
    }

    /** Leads to a server of Redis; null for the client's own. */
    public static DirectRoute toServer(RedisConnector connector, @Nullable RedisAddress to) {
        return new DirectRoute(connector, to, address(connector, to), purpose -> purpose);
    }

    /** Leads to a Sentinel. */
    public static DirectRoute toSentinel(RedisConnector connector, RedisAddress to) {
        return new DirectRoute(
                connector,
                to,
                address(connector, to),
                purpose -> purpose.receivesMessages()
                        ? ConnectionPurpose.SENTINEL_SUBSCRIPTIONS
                        : ConnectionPurpose.SENTINEL);
    }

    private static String address(RedisConnector connector, @Nullable RedisAddress to) {
        String all = connector.info().address();
        if (to == null || connector.info().seeds().equals(List.of(to))) {
            return all;
        }
        int scheme = all.indexOf("://");
        return (scheme < 0 ? "" : all.substring(0, scheme + "://".length())) + to;
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public CompletionStage<RedisConnection> connect(
            ConnectionPurpose purpose, PushListener listener, long timeoutNanos) {
        ConnectionPurpose actual = purposes.apply(purpose);
        return purpose.receivesMessages() && connector.info().is(Trait.BLOCKING)
                ? onThreadOfItsOwn(actual, listener, timeoutNanos)
                : connector.connect(to, actual, listener, timeoutNanos);
    }

    /** Subscribers never wait for a connection to be opened. */
    private CompletionStage<RedisConnection> onThreadOfItsOwn(
            ConnectionPurpose purpose, PushListener listener, long timeoutNanos) {
        CompletableFuture<RedisConnection> opened = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        connector
                                .connect(to, purpose, cause -> {}, timeoutNanos)
                                .whenComplete((connection, failure) -> {
                                    if (failure == null) {
                                        opened.complete(new ListeningConnection(
                                                connection,
                                                listener,
                                                address,
                                                connector.info().is(Trait.POOLED)));
                                    } else {
                                        opened.completeExceptionally(failure);
                                    }
                                });
                    } catch (RuntimeException | Error e) {
                        opened.completeExceptionally(e);
                    }
                },
                "leasehold-redis-connect");
        thread.setDaemon(true);
        thread.start();
        return opened;
    }
}
