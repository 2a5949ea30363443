package dev.leasehold.examples.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.testkit.InMemoryLeasehold;
import dev.leasehold.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Faults that are hard to provoke on a real server, without a server, a second thread or a wait. */
class FaultsTest {

    // example: testing
    private final ManualClock clock = ManualClock.create();
    private final InMemoryLeasehold leasehold = InMemoryLeasehold.create(clock);
    private final DistributedLock lock = leasehold.lock("report");

    @Test
    void aLeaseExpires() throws InterruptedException {
        Lease lease = lock.acquire();
        leasehold.cutOff(true); // Redis cannot be reached any more
        clock.advance(Duration.ofSeconds(30)); // renewals are tried meanwhile, and fail
        assertThat(lease.isHeld()).isFalse();
        assertThat(leasehold.another().lock("report").tryAcquire()).isPresent(); // another process, which can
    }

    @Test
    void aReplyGetsLost() throws InterruptedException {
        leasehold.dropNextReply(); // Redis grants the lock, and the connection breaks
        Lease lease = lock.acquire(); // the second try finds what the first one took
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void aReplicaTakesOverTooEarly() throws InterruptedException {
        Lease lease = lock.acquire();
        leasehold.failOver(1); // to a replica that has not seen the latest write
        assertThat(leasehold.another().lock("report").tryAcquire()).isPresent();
        clock.advance(Duration.ofSeconds(12)); // the next renewal detects it
        assertThat(lease.isHeld()).isFalse();
    }
    // end
}
