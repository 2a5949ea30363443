package dev.leasehold.jedis;

import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.tck.LeaseContract;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import org.junit.jupiter.api.AfterAll;

/** The contract over Jedis, on a primary that sentinels name. */
class SentinelLeaseContractIT extends LeaseContract {

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
