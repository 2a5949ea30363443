package dev.leasehold.lettuce;

import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.tck.MutexContract;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import org.junit.jupiter.api.AfterAll;

/** The contract over Lettuce, on a primary that sentinels name. */
class SentinelMutexContractIT extends MutexContract {

    private final WatchedPrimary primary = new WatchedPrimary();

    @Override
    protected EmbeddedRedis start(EmbeddedRedisBuilder settings) {
        return primary.start(settings);
    }

    @Override
    protected LeaseholdBuilder builder(String uri) {
        return primary.builder(uri);
    }

    @AfterAll
    @Override
    protected void stopServer() {
        primary.close();
    }
}
