package dev.leasehold.tck;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import java.net.URI;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;

/** The contract of transports on a primary with two replicas, which sentinels name. */
public abstract class SentinelTransportContract extends TransportContract {

    private @Nullable SentinelSite site;

    /** For subclasses. */
    protected SentinelTransportContract() {}

    /**
     * Opens the transport under test.
     *
     * @param settings the sentinels' URI and the login
     * @return the transport, connected; the contract closes it
     */
    protected abstract RedisTransport openBySentinels(ConnectionSettings settings);

    @Override
    protected final RedisTransport open(ConnectionSettings settings) {
        return openBySentinels(new ConnectionSettings(
                URI.create(site().uri(settings.uri().toString())),
                settings.clientName(),
                settings.connectTimeout(),
                settings.commandTimeout(),
                settings.tls()));
    }

    @Override
    protected final EmbeddedRedis start(EmbeddedRedisBuilder settings) {
        SentinelSite started = new SentinelSite(settings);
        site = started;
        return started.server();
    }

    @Override
    protected final Set<String> sentByServers() {
        return Set.of("auth", "client|setname", "info", "ping", "publish", "replconf", "subscribe");
    }

    private SentinelSite site() {
        return Objects.requireNonNull(site, "started before all tests");
    }

    @AfterAll
    @Override
    protected final void stopServer() {
        site().close();
    }
}
