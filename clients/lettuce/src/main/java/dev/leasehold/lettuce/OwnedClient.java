package dev.leasehold.lettuce;

import dev.leasehold.TlsOptions;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.ConnectorInfo.Trait;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisServer;
import dev.leasehold.spi.RedisSocket;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.SocketOptions.TcpUserTimeoutOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.EpollProvider;
import io.lettuce.core.resource.IOUringProvider;
import io.lettuce.core.resource.KqueueProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A Lettuce client of our own: at most once, with few threads, all of them daemons. */
final class OwnedClient {

    /** The end of a silently broken connection is detected after 10 s + 3 x 5 s, also when it is idle. */
    private static final KeepAliveOptions KEEP_ALIVE = KeepAliveOptions.builder()
            .enable()
            .idle(Duration.ofSeconds(10))
            .interval(Duration.ofSeconds(5))
            .count(3)
            .build();

    private static final long QUIET_MILLIS = 200;
    private static final long CLOSED_MILLIS = 2_000;
    private static final Duration UNACKNOWLEDGED = Duration.ofSeconds(25);

    private OwnedClient() {}

    /** Opens nothing yet, but begins threads, which end with the connector. */
    static LettuceConnector connector(ConnectionSettings settings) {
        ConnectorInfo info = settings.connectorInfo(Trait.AT_MOST_ONCE, Trait.RECEIVES_INVALIDATIONS);
        BiFunction<RedisAddress, ConnectionPurpose, RedisURI> uris =
                (to, purpose) -> uri(settings, settings.server(to, purpose));
        if (RedisSocket.isNamedIn(settings.uri())) {
            RedisURI socket = uri(settings);
            uris = (to, purpose) -> RedisURI.builder(socket).build();
        }
        ClientOptions options = options(settings);
        ClientResources resources = resources();
        RedisClient client = RedisClient.create(resources);
        client.setOptions(options);
        return new LettuceConnector(client, uris, settings::credentials, info, closing -> {
            CompletionStage<Void> unused = closing.whenComplete((nothing, failure) -> close(client, resources));
        });
    }

    /** Closes whatever is open, and ends the threads. Does not wait, so any thread may call it. */
    private static void close(RedisClient client, ClientResources resources) {
        // Without a quiet time, Netty leaves the socket of its resolver open, and logs the events that it refuses.
        CompletionStage<Void> connections = client.shutdownAsync(QUIET_MILLIS, CLOSED_MILLIS, TimeUnit.MILLISECONDS);
        connections.whenComplete((nothing, failure) -> {
            Future<Boolean> unused = resources.shutdown(QUIET_MILLIS, CLOSED_MILLIS, TimeUnit.MILLISECONDS);
        });
    }

    /** Two I/O threads, so that renewals are not decoded behind the replies of callers, and no more, for locks send little. */
    private static ClientResources resources() {
        // Building them swallows an interrupt.
        boolean interrupted = Thread.interrupted();
        try {
            return DefaultClientResources.builder()
                    .ioThreadPoolSize(2)
                    .computationThreadPoolSize(2)
                    .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                    .build();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static ClientOptions options(ConnectionSettings settings) {
        return atMostOnce(ClientOptions.builder())
                // The caller owns the timeout.
                .timeoutOptions(TimeoutOptions.create())
                .socketOptions(socket(settings))
                .sslOptions(ssl(settings))
                .build();
    }

    /** Sets that Lettuce sends no command twice and keeps none for a later connection. */
    static ClientOptions.Builder atMostOnce(ClientOptions.Builder options) {
        options.autoReconnect(false).disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS);
        try {
            // These would carry commands over to another connection.
            options.maintNotificationsConfig(MaintNotificationsConfig.disabled());
        } catch (LinkageError e) {
            // Lettuce before 7 knows none.
            return options;
        }
        return options;
    }

    private static SocketOptions socket(ConnectionSettings settings) {
        SocketOptions.Builder options = SocketOptions.builder()
                .connectTimeout(settings.connectTimeout())
                .tcpNoDelay(true)
                .keepAlive(KEEP_ALIVE);
        if (EpollProvider.isAvailable() || IOUringProvider.isAvailable()) {
            options.tcpUserTimeout(TcpUserTimeoutOptions.builder()
                    .enable()
                    .tcpUserTimeout(UNACKNOWLEDGED)
                    .build());
        }
        return options.build();
    }

    /** Every connection reads the files again, so that a renewed certificate takes effect. */
    private static SslOptions ssl(ConnectionSettings settings) {
        TlsOptions tls = settings.tls();
        SslOptions.Builder options = SslOptions.builder().jdkSslProvider().handshakeTimeout(settings.connectTimeout());
        Path trusted = tls.trustedCertificates();
        if (trusted != null) {
            options.trustManager(trusted.toFile());
        }
        Path certificate = tls.certificate();
        Path key = tls.privateKey();
        if (certificate != null && key != null) {
            options.keyManager(certificate.toFile(), key.toFile(), new char[0]);
        }
        return options.build();
    }

    static RedisURI uri(ConnectionSettings settings) {
        return RedisSocket.isNamedIn(settings.uri())
                ? uri(settings, RedisSocket.of(settings))
                : uri(settings, RedisServer.of(settings));
    }

    private static RedisURI uri(ConnectionSettings settings, RedisSocket socket) {
        if (!EpollProvider.isAvailable() && !KqueueProvider.isAvailable()) {
            throw new IllegalStateException(
                    "the Unix socket " + socket
                            + " needs Netty's native transport, which is not there or switched off: add "
                            + "io.netty:netty-transport-native-epoll with the classifier linux-x86_64 or linux-aarch_64, on macOS "
                            + "netty-transport-native-kqueue, in the version of Lettuce's Netty, or connect to redis://host:port");
        }
        return uri(
                settings, RedisURI.Builder.socket(socket.path()), socket.database(), socket.user(), socket.password());
    }

    private static RedisURI uri(ConnectionSettings settings, RedisServer server) {
        RedisURI.Builder there = RedisURI.Builder.redis(server.host(), server.port())
                .withSsl(server.tls())
                .withVerifyPeer(SslVerifyMode.FULL);
        return uri(settings, there, server.database(), server.user(), server.password());
    }

    private static RedisURI uri(
            ConnectionSettings settings,
            RedisURI.Builder there,
            int database,
            @Nullable String user,
            @Nullable String password) {
        RedisURI uri = there.withDatabase(database)
                .withClientName(settings.clientName())
                .withTimeout(settings.connectTimeout())
                .build();
        if (password != null) {
            authenticate(uri, user, password);
        }
        return uri;
    }

    static void authenticate(RedisURI uri, @Nullable String user, String password) {
        uri.setCredentialsProvider(new StaticCredentialsProvider(user, password.toCharArray()));
    }
}
