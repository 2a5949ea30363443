package dev.leasehold.tck;

import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;

/** The contract of transports on a cluster of one primary: one server has all keys, as the contract expects. */
public abstract class ClusterTransportContract extends TransportContract {

    /** For subclasses. */
    protected ClusterTransportContract() {}

    @Override
    protected final EmbeddedRedis start(EmbeddedRedisBuilder settings) {
        return ClusterSite.ofOne(settings);
    }
}
