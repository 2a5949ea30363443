package dev.leasehold.lettuce;

import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.tck.FairMutexContract;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;

/** The contract of fair locks, whose waiters are woken, for a user with the documented rights. */
class RightsFairMutexContractIT extends FairMutexContract {

    @Override
    protected EmbeddedRedis start(EmbeddedRedisBuilder settings) {
        EmbeddedRedis redis = super.start(settings);
        Rights.grant(redis, Rights.ofLocks());
        return redis;
    }

    @Override
    protected LeaseholdBuilder builder(String uri) {
        return super.builder(Rights.uri(uri));
    }
}
