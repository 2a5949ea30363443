package dev.leasehold.lettuce;

import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.tck.LatchContract;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;

/** The contract over Lettuce, on a cluster. */
class ClusterLatchContractIT extends LatchContract {

    @Override
    protected EmbeddedRedis start(EmbeddedRedisBuilder settings) {
        return ClusterOfOne.start(settings);
    }

    @Override
    protected LeaseholdBuilder builder(String uri) {
        return ClusterOfOne.builder(uri, server(), this::closing);
    }
}
