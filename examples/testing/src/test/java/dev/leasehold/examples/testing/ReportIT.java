package dev.leasehold.examples.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import org.junit.jupiter.api.Test;

// example: testing-redis
@WithRedis
class ReportIT {

    @Test
    void oneOfTwoClientsGetsTheLock(EmbeddedRedis redis) throws InterruptedException {
        try (Leasehold one = Leasehold.connect(redis.uri());
                Leasehold other = Leasehold.connect(redis.uri());
                Lease lease = one.lock("report").acquire()) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(other.lock("report").tryAcquire()).isEmpty();
        }
    }
}
// end
