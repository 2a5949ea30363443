package dev.leasehold.examples.adapter;

import dev.leasehold.TlsOptions;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.ConnectorInfo.Trait;
import dev.leasehold.spi.CredentialsSource;
import dev.leasehold.spi.PushListener;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.RedisConnector;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisServer;
import dev.leasehold.spi.TransportException;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.impl.types.ErrorType;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

// example: adapter-connector
/** Opens connections with a client of Vert.x for each, whose pool has this one connection. */
final class VertxConnector implements RedisConnector {

    private static final int MOST_IN_FLIGHT = 1 << 14;

    private final Vertx vertx;
    private final ConnectionSettings settings;
    private final ConnectorInfo info;

    VertxConnector(Vertx vertx, ConnectionSettings settings) {
        this.vertx = vertx;
        this.settings = settings;
        this.info = settings.connectorInfo(Trait.AT_MOST_ONCE);
    }

    @Override
    public ConnectorInfo info() {
        return info;
    }

    @Override
    public CompletionStage<RedisConnection> connect(
            @Nullable RedisAddress to, ConnectionPurpose purpose, PushListener listener, long timeoutNanos) {
        RedisServer server = settings.server(to == null ? info.seeds().get(0) : to, purpose);
        CredentialsSource source = settings.credentials(purpose);
        return source == null
                ? connect(server, listener, timeoutNanos)
                : source.ask().thenCompose(supplied -> connect(server.as(supplied), listener, timeoutNanos));
    }

    private CompletionStage<RedisConnection> connect(RedisServer server, PushListener listener, long timeoutNanos) {
        RedisAddress address = server.address();
        Redis client = Redis.createClient(vertx, options(server, timeoutNanos));
        CompletableFuture<RedisConnection> opening = new CompletableFuture<>();
        client.connect()
                .onFailure(failure -> opening.completeExceptionally(failureOf(failure, false, address)))
                .onSuccess(connection ->
                        opening.complete(new VertxConnection(vertx, client, connection, address, listener)));
        long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNanos));
        vertx.setTimer(
                millis,
                late -> opening.completeExceptionally(TransportException.noAnswer(
                        address.toString(), false, new TimeoutException("none within " + millis + " ms"))));
        return opening.whenComplete((opened, failure) -> {
            if (failure != null) {
                client.close();
            }
        });
    }

    private RedisOptions options(RedisServer server, long timeoutNanos) {
        // A connection begins with database 0, and a sentinel knows no SELECT.
        String database = server.database() == 0 ? "" : "/" + server.database();
        // Of the older protocol, in which a reply has the same shape for all servers.
        String uri = (server.tls() ? "rediss://" : "redis://") + server.address() + database + "?protocol=2&client="
                + URLEncoder.encode(settings.clientName(), StandardCharsets.UTF_8);
        return new RedisOptions()
                .setConnectionString(uri)
                .setUser(server.user())
                .setPassword(server.password())
                .setMaxPoolSize(1)
                .setPoolCleanerInterval(-1)
                .setPoolRecycleTimeout(-1)
                .setMaxWaitingHandlers(MOST_IN_FLIGHT)
                .setNetClientOptions(tls().setConnectTimeout((int) TimeUnit.NANOSECONDS.toMillis(timeoutNanos)));
    }

    private NetClientOptions tls() {
        NetClientOptions options = new NetClientOptions().setHostnameVerificationAlgorithm("HTTPS");
        TlsOptions tls = settings.tls();
        Path trusted = tls.trustedCertificates();
        if (trusted != null) {
            options.setTrustOptions(new PemTrustOptions().addCertPath(trusted.toString()));
        }
        Path certificate = tls.certificate();
        Path key = tls.privateKey();
        if (certificate != null && key != null) {
            options.setKeyCertOptions(
                    new PemKeyCertOptions().addCertPath(certificate.toString()).addKeyPath(key.toString()));
        }
        return options;
    }

    /** Vert.x reports the end of a connection like an error reply; that and all else may have been executed or not. */
    static RuntimeException failureOf(Throwable failure, boolean maybeExecuted, RedisAddress address) {
        if (!(failure instanceof ErrorType) || "CONNECTION_CLOSED".equals(failure.getMessage())) {
            return TransportException.noAnswer(address.toString(), maybeExecuted, failure);
        }
        String reply = String.valueOf(failure.getMessage());
        // What refuses a connection answers its login, and may repeat the password.
        return maybeExecuted ? new RedisErrorException(reply) : RedisErrorException.ofLogin(reply);
    }

    /** Has begun nothing: each client ends with its connection. */
    @Override
    public void close() {}
}
// end
