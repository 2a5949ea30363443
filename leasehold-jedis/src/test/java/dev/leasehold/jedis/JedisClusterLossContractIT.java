package dev.leasehold.jedis;

import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.tck.LossContract;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;

/** The contract over Jedis, on a cluster. */
class JedisClusterLossContractIT extends LossContract {

    @Override
    protected EmbeddedRedis start(EmbeddedRedisBuilder settings) {
        return ClusterOfOne.start(settings);
    }

    @Override
    protected LeaseholdBuilder builder(String uri) {
        return ClusterOfOne.builder(uri, server(), this::closing);
    }
}
