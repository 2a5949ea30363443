package dev.leasehold.springdata;

import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.tck.MutexContract;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;

/** The contract over a factory of Lettuce, on a cluster. */
class ClusterMutexContractIT extends MutexContract {

    @Override
    protected EmbeddedRedis start(EmbeddedRedisBuilder settings) {
        return ClusterOfOne.start(settings);
    }

    @Override
    protected LeaseholdBuilder builder(String uri) {
        return ClusterOfOne.builder(uri, server());
    }
}
