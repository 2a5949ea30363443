package dev.leasehold.lettuce;

import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.tck.SemaphoreMutexContract;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;

/** The contract of semaphores, for a user with the documented rights. */
class RightsSemaphoreMutexContractIT extends SemaphoreMutexContract {

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
