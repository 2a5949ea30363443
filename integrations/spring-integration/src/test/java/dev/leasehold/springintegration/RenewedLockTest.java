package dev.leasehold.springintegration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.LockOptions;
import dev.leasehold.testkit.InMemoryLeasehold;
import dev.leasehold.testkit.ManualClock;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

/** The lease of a held lock, in virtual time. */
@SuppressWarnings("LockNotBeforeTry") // the lock stays held
class RenewedLockTest {

    @Test
    void aHeldLockOutlivesItsLeaseByRenewal() {
        ManualClock clock = ManualClock.create();
        InMemoryLeasehold mine = InMemoryLeasehold.create(clock);
        Duration lease = Duration.ofSeconds(3);
        LockOptions options = LockOptions.builder().leaseTime(lease).build();
        Lock lock = new LeaseholdLockRegistry(mine, "orders:", options).obtain("17");
        Lock others = new LeaseholdLockRegistry(mine.another(), "orders:").obtain("17");
        lock.lock();
        clock.advance(lease.multipliedBy(10));
        assertThat(others.tryLock()).isFalse();
        lock.unlock();
        assertThat(others.tryLock()).isTrue();
    }
}
