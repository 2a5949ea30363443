package dev.leasehold.lettuce;

import dev.leasehold.TlsOptions;
import dev.leasehold.spi.ConnectionSettings;
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
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A Lettuce client of our own: at most once, with few threads, all of them daemons. */
final class OwnedClient {

    private static final int DEFAULT_PORT = 6379;

    /** A connection whose other end is gone without a word is noticed after 10 s + 3 x 5 s, also when it is idle. */
    private static final KeepAliveOptions KEEP_ALIVE = KeepAliveOptions.builder()
            .enable()
            .idle(Duration.ofSeconds(10))
            .interval(Duration.ofSeconds(5))
            .count(3)
            .build();

    private static final Duration UNACKNOWLEDGED = Duration.ofSeconds(25);

    private final ClientResources resources;
    private final RedisClient client;
    private final AtomicBoolean closed = new AtomicBoolean();

    OwnedClient(ConnectionSettings settings) {
        RedisURI uri = uri(settings);
        ClientOptions options = options(settings);
        resources = resources();
        client = RedisClient.create(resources, uri);
        client.setOptions(options);
    }

    RedisClient client() {
        return client;
    }

    /** Closes whatever is open, and ends the threads. Does not wait, so any thread may call it. */
    void close() {
        if (closed.compareAndSet(false, true)) {
            CompletionStage<Void> connections = client.shutdownAsync(0, 0, TimeUnit.SECONDS);
            connections.whenComplete((nothing, failure) -> {
                // With a quiet time, or what closing itself has still to tell is refused, and Netty logs it as an
                // error.
                Future<Boolean> unused = resources.shutdown(200, 2000, TimeUnit.MILLISECONDS);
            });
        }
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
        return ClientOptions.builder()
                .autoReconnect(false)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                // These would carry commands over to another connection.
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                // The caller owns the time-out.
                .timeoutOptions(TimeoutOptions.create())
                .socketOptions(socket(settings))
                .sslOptions(ssl(settings))
                .build();
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

    /** The files are read at each connection anew, so a renewed certificate is taken over. */
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
        URI uri = settings.uri();
        String host = uri.getHost();
        if (host == null) {
            throw new IllegalArgumentException("the URI of Redis names no host; write redis://host:port, and encode "
                    + "what is special in user and password (@ is %40, / is %2F)");
        }
        RedisURI.Builder builder = RedisURI.builder()
                .withHost(host.startsWith("[") ? host.substring(1, host.length() - 1) : host)
                .withPort(uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort())
                .withDatabase(database(uri))
                .withClientName(settings.clientName())
                .withTimeout(settings.connectTimeout())
                .withSsl("rediss".equalsIgnoreCase(uri.getScheme()))
                .withVerifyPeer(SslVerifyMode.FULL);
        RedisURI result = builder.build();
        authenticate(result, uri.getRawUserInfo());
        return result;
    }

    /** {@code user:password}, {@code :password}, or {@code password} alone; split first and decoded then. */
    private static void authenticate(RedisURI target, String userInfo) {
        if (userInfo == null || userInfo.isEmpty()) {
            return;
        }
        int colon = userInfo.indexOf(':');
        String user = colon < 0 ? "" : decode(userInfo.substring(0, colon));
        String password = decode(userInfo.substring(colon + 1));
        if (password.isEmpty()) {
            throw new IllegalArgumentException("the URI of Redis names a user without a password");
        }
        target.setCredentialsProvider(
                new StaticCredentialsProvider(user.isEmpty() ? null : user, password.toCharArray()));
    }

    /** In a URI, unlike in a form, a plus is a plus. */
    private static String decode(String raw) {
        return URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static int database(URI uri) {
        String path = uri.getPath();
        if (path == null || path.length() <= 1) {
            return 0;
        }
        String number = path.substring(1);
        if (!number.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException(
                    "the path of the URI of Redis must be the number of a database, as in redis://host:6379/2");
        }
        return Integer.parseInt(number);
    }
}
