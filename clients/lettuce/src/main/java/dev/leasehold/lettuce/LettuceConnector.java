package dev.leasehold.lettuce;

import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.CredentialsSource;
import dev.leasehold.spi.PushListener;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.RedisConnector;
import dev.leasehold.spi.TransportException;
import io.lettuce.core.ConnectionFuture;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens connections from a Lettuce client, never blocking its caller. */
final class LettuceConnector implements RedisConnector {

    private static final int MAX_UNREAD = 3;

    private final RedisClient client;
    private final BiFunction<RedisAddress, ConnectionPurpose, RedisURI> uris;
    private final Function<ConnectionPurpose, @Nullable CredentialsSource> credentials;
    private final ConnectorInfo info;
    private final Consumer<CompletableFuture<Void>> afterClose;
    /** Done while no connection is being closed, and Lettuce begins none. */
    private final AtomicReference<CompletableFuture<Void>> closing =
            new AtomicReference<>(CompletableFuture.completedFuture(null));

    private volatile boolean closed;

    /**
     * Opens nothing yet.
     *
     * @param uris how a server is spoken to
     * @param afterClose ends what was begun besides the connections; it gets the end of those that are being closed, of which Lettuce
     *     warns if its client is shut down before
     */
    LettuceConnector(
            RedisClient client,
            BiFunction<RedisAddress, ConnectionPurpose, RedisURI> uris,
            ConnectorInfo info,
            Consumer<CompletableFuture<Void>> afterClose) {
        this(client, uris, purpose -> null, info, afterClose);
    }

    /**
     * Opens nothing yet.
     *
     * @param uris how a server is spoken to: a new object for each connection whose credentials are asked for
     * @param credentials what is asked for the credentials of a connection, or null for those of its URI
     * @param afterClose ends what was begun besides the connections; it gets the end of those that are being closed, of which Lettuce
     *     warns if its client is shut down before
     */
    LettuceConnector(
            RedisClient client,
            BiFunction<RedisAddress, ConnectionPurpose, RedisURI> uris,
            Function<ConnectionPurpose, @Nullable CredentialsSource> credentials,
            ConnectorInfo info,
            Consumer<CompletableFuture<Void>> afterClose) {
        this.client = client;
        this.uris = uris;
        this.credentials = credentials;
        this.info = info;
        this.afterClose = afterClose;
    }

    @Override
    public ConnectorInfo info() {
        return info;
    }

    @Override
    public CompletionStage<RedisConnection> connect(
            @Nullable RedisAddress to, ConnectionPurpose purpose, PushListener listener, long timeoutNanos) {
        String address = to == null ? info.address() : to.toString();
        return retryUnread(() -> open(to, purpose, listener), MAX_UNREAD)
                .exceptionallyCompose(
                        failure -> CompletableFuture.failedFuture(LettuceFailures.unsent(failure, address)));
    }

    private CompletionStage<RedisConnection> open(
            @Nullable RedisAddress to, ConnectionPurpose purpose, PushListener listener) {
        if (closed || client.getResources().eventExecutorGroup().isShuttingDown()) {
            // Netty would log an error.
            return wasShutDown(to);
        }
        if (to == null) {
            return CompletableFuture.supplyAsync(() -> openOwn(purpose, listener), LettuceConnector::startThread);
        }
        RedisURI uri = uris.apply(to, purpose);
        CredentialsSource source = credentials.apply(purpose);
        if (source == null) {
            return open(uri, to, purpose, listener);
        }
        // Not by a provider of Lettuce, whose failure Lettuce does not report before the connect timeout.
        return source.ask().thenCompose(supplied -> {
            OwnedClient.authenticate(uri, supplied.user(), supplied.password());
            return open(uri, to, purpose, listener);
        });
    }

    private CompletionStage<RedisConnection> open(
            RedisURI uri, RedisAddress to, ConnectionPurpose purpose, PushListener listener) {
        // Netty logs an error, too, if its threads end between the check and the channel's registration: the end waits
        // for that.
        CompletableFuture<Void> beginning = new CompletableFuture<>();
        closing(beginning);
        try {
            if (closed) {
                return wasShutDown(to);
            }
            ConnectionFuture<? extends StatefulRedisConnection<String, String>> connecting = purpose.receivesMessages()
                    ? client.connectPubSubAsync(StringCodec.UTF8, uri)
                    : client.connectAsync(StringCodec.UTF8, uri);
            return connecting.thenApply(made -> new LettuceConnection(made, to, purpose, listener, this::closing));
        } finally {
            beginning.complete(null);
        }
    }

    private CompletionStage<RedisConnection> wasShutDown(@Nullable RedisAddress to) {
        String address = to == null ? info.address() : to.toString();
        return CompletableFuture.failedFuture(new TransportException(
                "no connection to Redis at " + address + ": its client was shut down", false, null));
    }

    /** Lettuce connects to a client's own URI only by a call that blocks, and tells where it led only a listener. */
    private RedisConnection openOwn(ConnectionPurpose purpose, PushListener listener) {
        Map<Object, SocketAddress> seen = new ConcurrentHashMap<>();
        RedisConnectionStateListener watch = new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress remote) {
                seen.put(connection, remote);
            }
        };
        client.addListener(watch);
        try {
            StatefulRedisConnection<String, String> made = purpose.receivesMessages()
                    ? client.connectPubSub(StringCodec.UTF8)
                    : client.connect(StringCodec.UTF8);
            SocketAddress remote = seen.get(made);
            RedisAddress server = remote instanceof InetSocketAddress inet
                    ? new RedisAddress(inet.getHostString(), inet.getPort())
                    : new RedisAddress(String.valueOf(remote), 0);
            return new LettuceConnection(made, server, purpose, listener, this::closing);
        } finally {
            client.removeListener(watch);
        }
    }

    /**
     * Connects again, so many times at the most, where Lettuce did not hear what the server said: a server that refuses
     * hangs up at once, and Lettuce may find the channel stripped of its handlers before it has asked for the answer.
     */
    static <T> CompletionStage<T> retryUnread(Supplier<CompletionStage<T>> connect, int times) {
        return connect.get()
                .toCompletableFuture()
                .exceptionallyCompose(failure -> times > 0 && LettuceFailures.answerUnread(failure)
                        ? retryUnread(connect, times - 1)
                        : CompletableFuture.failedFuture(failure));
    }

    private void closing(CompletableFuture<Void> connection) {
        closing.updateAndGet(others -> CompletableFuture.allOf(others, connection));
    }

    private static void startThread(Runnable task) {
        Thread thread = new Thread(task, "leasehold-lettuce-connect");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        closed = true;
        afterClose.accept(closing.get());
    }
}
