package dev.leasehold.shedlock;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.event.LossEvent;
import dev.leasehold.testkit.InMemoryLeasehold;
import dev.leasehold.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;

/** How long a job has its lock, in virtual time. */
class LockTimesTest {

    private static final Duration LEASE = Duration.ofSeconds(3);

    private final ManualClock clock = ManualClock.create();
    private final InMemoryLeasehold mine = InMemoryLeasehold.create(clock);
    private final Leasehold theirs = mine.another();

    private static SimpleLock lock(LockProvider from, Duration atMost) {
        return from.lock(new LockConfiguration(ClockProvider.now(), "report", atMost, ZERO))
                .orElseThrow();
    }

    private boolean free() {
        Optional<Lease> lease = theirs.lock("job:report").tryAcquire();
        lease.ifPresent(Lease::close);
        return lease.isPresent();
    }

    @Test
    void aLockThatHasEndedIsNotExtended() {
        SimpleLock lock = lock(LeaseholdLockProvider.of(mine), LEASE);
        clock.advance(LEASE.plusMillis(1));
        assertThat(free()).isTrue();
        assertThat(lock.extend(Duration.ofMinutes(5), ZERO)).isEmpty();
        assertThat(free()).isTrue();
    }

    @Test
    void aJobThatIsKeptAliveOutlivesItsTimeUntilItEnds() {
        SimpleLock lock = lock(LeaseholdLockProvider.builder(mine).keepAlive().build(), LEASE);
        clock.advance(LEASE.multipliedBy(10));
        assertThat(free()).isFalse();
        lock.unlock();
        assertThat(free()).isTrue();
    }

    @Test
    void aJobThatIsKeptAliveByAShortLeaseKeepsItsLockForTheWholeTimeAtMost() {
        Duration atMost = Duration.ofSeconds(8);
        List<LossEvent> losses = new ArrayList<>();
        SimpleLock lock = lock(
                LeaseholdLockProvider.builder(mine)
                        .keepAlive(LEASE)
                        .onLost(losses::add)
                        .build(),
                atMost);
        assertThat(theirs.lock("job:report").inspect().orElseThrow().left())
                .as("the longest wait of the others if the instance dies")
                .isLessThanOrEqualTo(LEASE);
        clock.advance(atMost.minusSeconds(1));
        assertThat(free()).isFalse();
        assertThat(losses).isEmpty();
        clock.advance(Duration.ofSeconds(1));
        assertThat(free()).isTrue();
        assertThat(losses).hasSize(1);
        assertThat(losses.get(0).held()).isBetween(atMost.minusSeconds(1), atMost);
        lock.unlock();
    }
}
