package dev.leasehold.tck;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import java.net.URI;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/**
 * Base of the contracts of transports: servers for the class, empty before each test, and the adapter under test. A cluster has one
 * primary: one server has all keys, as the contracts expect.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TransportBase extends AnyContract {

    private Site site;

    /** Opens the transport under test, which the contract closes. */
    final RedisTransport open(ConnectionSettings settings) {
        return way().open(new ConnectionSettings(
                URI.create(site.uri(settings.uri().toString())),
                settings.clientName(),
                settings.connectTimeout(),
                settings.commandTimeout(),
                settings.tls()));
    }

    /** Starts servers of the topology under test. */
    final Site start(EmbeddedRedisBuilder settings) {
        return topology() == Topology.CLUSTER
                ? ClusterSite.ofOne(settings)
                : topology().start(settings);
    }

    /** Returns the server that all tests of the class share. */
    final EmbeddedRedis server() {
        return site.server();
    }

    @BeforeParameterizedClassInvocation
    final void startServer(Combination drawn) {
        site = claimed(drawn, start(Site.settings()));
    }

    @BeforeEach
    void emptyServer() {
        site.server().flush();
    }

    @AfterParameterizedClassInvocation
    void stopServer() {
        site.close();
    }
}
