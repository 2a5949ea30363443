package dev.leasehold.tck;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;

/** The contract of transports in trouble on a cluster, whose one node names the proxy when it is asked who has the slots. */
public abstract class ClusterTransportFailureContract extends TransportFailureContract {

    /** For subclasses. */
    protected ClusterTransportFailureContract() {}

    /**
     * Opens the transport under test.
     *
     * @param settings where and how
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
