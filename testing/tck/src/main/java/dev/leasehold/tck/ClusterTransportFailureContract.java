package dev.leasehold.tck;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;

/** The contract of failing transports on a cluster whose only node announces the proxy as the owner of the slots. */
public abstract class ClusterTransportFailureContract extends TransportFailureContract {

    /** For subclasses. */
    protected ClusterTransportFailureContract() {}

    /**
     * Opens the transport under test.
     *
     * @param settings the server and the login
     * @return the transport, connected; the contract closes it
     */
    protected abstract RedisTransport openByNode(ConnectionSettings settings);

    @Override
    protected final EmbeddedRedis start(EmbeddedRedisBuilder settings) {
        return ClusterSite.ofOne(settings);
    }

    @Override
    protected final RedisTransport open(ConnectionSettings settings) {
        server().command(
                        "CONFIG",
                        "SET",
                        "cluster-announce-port",
                        String.valueOf(settings.uri().getPort()));
        return openByNode(settings);
    }
}
