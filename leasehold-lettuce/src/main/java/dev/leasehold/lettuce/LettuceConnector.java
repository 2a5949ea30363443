package dev.leasehold.lettuce;

import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.TransportException;
import io.lettuce.core.ConnectionFuture;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens connections from a client, never blocking its caller, and remembers where the last one led. */
final class LettuceConnector {

    private static final int MAX_UNREAD = 3;

    private final RedisClient client;
    private final @Nullable RedisURI uri;
    private final @Nullable Primary primary;
    private final String address;
    private volatile @Nullable SocketAddress server;

    /**
     * Creates a connector.
     *
     * @param client the client that opens the connections
     * @param uri where to, or null for the client's own URI, which Lettuce does not tell
     * @param address where to, for messages
     */
    LettuceConnector(RedisClient client, @Nullable RedisURI uri, String address) {
        this(client, uri, null, address);
    }

    /**
     * Creates a connector to whichever server sentinels name.
     *
     * @param client the client that opens the connections
     * @param sentinels queried for each connection, closed with the connector
     * @param uris how the server that they name is spoken to
     * @param address where the sentinels are, for messages
     */
    LettuceConnector(RedisClient client, Sentinels sentinels, Function<Endpoint, RedisURI> uris, String address) {
        this(client, null, new Primary(sentinels, uris), address);
    }

    private LettuceConnector(RedisClient client, @Nullable RedisURI uri, @Nullable Primary primary, String address) {
        this.client = client;
        this.uri = uri;
        this.primary = primary;
        this.address = address;
    }

    /** A server that others name. */
    private record Primary(Sentinels sentinels, Function<Endpoint, RedisURI> uris) {

        <C extends StatefulRedisConnection<String, String>> CompletionStage<C> connect(
                Function<RedisURI, CompletionStage<C>> connector) {
            return sentinels
                    .primary()
                    .thenCompose(named -> connector.apply(uris.apply(named)).thenApply(connection -> {
                        // If a failover happened during the connect, the connector queries the Sentinels again.
                        if (!sentinels.isPrimary(named)) {
                            CompletionStage<Void> unused = connection.closeAsync();
                            throw new TransportException(named + " is not the primary any more", false, null);
                        }
                        return connection;
                    }));
        }
    }

    /** Sets what is called when another server has become the primary. */
    void onSwitch(Runnable action) {
        if (primary != null) {
            primary.sentinels().onSwitch(action);
        }
    }

    /** Ends what asks where to connect. */
    CompletionStage<Void> close(String reason) {
        return primary == null
                ? CompletableFuture.completedFuture(null)
                : primary.sentinels().close(reason);
    }

    String address() {
        return address;
    }

    /** Returns whether it can connect to other servers, too. */
    boolean knowsItsUri() {
        return uri != null;
    }

    /** Returns whether it connects to a Unix socket, which has a single server. */
    boolean isSocket() {
        return uri != null && uri.getSocket() != null;
    }

    Endpoint endpoint() {
        RedisNode node = node(true);
        return new Endpoint(node.host(), node.port());
    }

    /** Leads to another server in the same way: with the same user, password, name and security. */
    LettuceConnector to(Endpoint other) {
        RedisURI known = Objects.requireNonNull(uri);
        RedisURI there = RedisURI.builder(known)
                .withHost(other.host())
                .withPort(other.port())
                .build();
        int scheme = address.indexOf("://");
        return new LettuceConnector(client, there, (scheme < 0 ? "" : address.substring(0, scheme + 3)) + other);
    }

    CompletionStage<StatefulRedisConnection<String, String>> connect() {
        return retryUnread(
                () -> {
                    if (primary != null) {
                        return primary.connect(there -> remember(client.connectAsync(StringCodec.UTF8, there)));
                    }
                    return uri == null
                            ? onThreadOfItsOwn(() -> client.connect(StringCodec.UTF8))
                            : remember(client.connectAsync(StringCodec.UTF8, uri));
                },
                MAX_UNREAD);
    }

    CompletionStage<StatefulRedisPubSubConnection<String, String>> connectPubSub() {
        return retryUnread(
                () -> {
                    if (primary != null) {
                        return primary.connect(there -> remember(client.connectPubSubAsync(StringCodec.UTF8, there)));
                    }
                    return uri == null
                            ? onThreadOfItsOwn(() -> client.connectPubSub(StringCodec.UTF8))
                            : remember(client.connectPubSubAsync(StringCodec.UTF8, uri));
                },
                MAX_UNREAD);
    }

    /**
     * Connects again, so many times at the most, where Lettuce did not hear what the server said: a server that refuses
     * hangs up at once, and Lettuce may find the channel stripped of its handlers before it has asked for the answer.
     */
    static <T> CompletionStage<T> retryUnread(Supplier<CompletionStage<T>> connect, int times) {
        return connect.get()
                .toCompletableFuture()
                .exceptionallyCompose(failure -> times > 0 && Failures.answerUnread(failure)
                        ? retryUnread(connect, times - 1)
                        : CompletableFuture.failedFuture(failure));
    }

    /** The server: as the URI names it, else as the last connection found it. */
    RedisNode node(boolean primary) {
        if (uri != null && uri.getSocket() != null) {
            return new RedisNode(uri.getSocket(), 0, primary);
        }
        if (uri != null && uri.getHost() != null) {
            return new RedisNode(uri.getHost(), uri.getPort(), primary);
        }
        return server instanceof InetSocketAddress inet
                ? new RedisNode(inet.getHostString(), inet.getPort(), primary)
                : new RedisNode(String.valueOf(server), 0, primary);
    }

    private <T> CompletionStage<T> remember(ConnectionFuture<T> connecting) {
        return connecting.thenApply(connection -> {
            server = connecting.getRemoteAddress();
            return connection;
        });
    }

    /** Lettuce connects to a client's own URI only by a call that blocks. */
    private <T> CompletionStage<T> onThreadOfItsOwn(Supplier<T> connect) {
        CompletableFuture<T> made = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        made.complete(watching(connect));
                    } catch (RuntimeException | Error e) {
                        made.completeExceptionally(e);
                    }
                },
                "leasehold-lettuce-connect");
        thread.setDaemon(true);
        thread.start();
        return made;
    }

    private <T> T watching(Supplier<T> connect) {
        Map<Object, SocketAddress> seen = new ConcurrentHashMap<>();
        RedisConnectionStateListener watch = new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress remote) {
                seen.put(connection, remote);
            }
        };
        client.addListener(watch);
        try {
            T connection = connect.get();
            server = seen.get(connection);
            return connection;
        } finally {
            client.removeListener(watch);
        }
    }
}
