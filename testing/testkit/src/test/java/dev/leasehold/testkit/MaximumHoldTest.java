package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The maximum hold of a lease that goes on in another way, with the real scripts, in virtual time. */
class MaximumHoldTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration MAXIMUM = Duration.ofSeconds(60);
    private static final LockOptions OPTIONS =
            LockOptions.builder().leaseTime(LEASE).maxHold(MAXIMUM).build();

    private final ManualClock clock = ManualClock.create();
    private final InMemoryLeasehold own = InMemoryLeasehold.create(clock);
    private final InMemoryLeasehold other = own.another();

    @AfterEach
    void close() {
        own.close();
        other.close();
    }

    private Lease heldFor(Duration time) {
        Lease lease = own.lock("a").with(OPTIONS).tryAcquire().orElseThrow();
        clock.advance(time);
        assertThat(lease.isHeld()).isTrue();
        return lease;
    }

    /** Returns for how long the lease stays held, within ten minutes. */
    private Duration staysHeld(Lease lease) {
        long from = clock.nanoTime();
        while (lease.isHeld()
                && clock.nanoTime() - from < Duration.ofMinutes(10).toNanos()) {
            clock.advance(Duration.ofSeconds(1));
        }
        return Duration.ofNanos(clock.nanoTime() - from);
    }

    @Test
    void aReaderIsRenewedForTheRestOfTheMaximumOfTheWriterThatItWas() {
        Lease writer = heldFor(Duration.ofSeconds(40));
        Lease reader = own.readWriteLock("a").downgrade(writer);
        assertThat(staysHeld(reader))
                .isBetween(Duration.ofSeconds(20), Duration.ofSeconds(20).plus(LEASE));
    }

    @Test
    void aReaderIsNotRenewedIfTheWriterThatItWasHasPassedItsMaximum() {
        Lease writer = heldFor(MAXIMUM.plusSeconds(1));
        Lease reader = own.readWriteLock("a").downgrade(writer);
        assertThat(staysHeld(reader)).isBetween(Duration.ofSeconds(1), LEASE);
    }

    @Test
    void aLeaseThatHasPassedItsMaximumIsExportedWhileMostOfItIsLeft() {
        Lease lease = heldFor(MAXIMUM.plusSeconds(1));
        String exported = lease.export();
        lease.close();
        clock.advance(Duration.ofSeconds(19));
        assertThat(other.resume(exported).isHeld()).isTrue();
    }

    @Test
    void andAfterwardsOnlyOnceItsHolderHasExtendedIt() {
        Lease lease = heldFor(MAXIMUM.plusSeconds(15));
        assertThatThrownBy(lease::export)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'a'")
                .hasMessageContaining("maxHold has passed")
                .hasMessageContaining("Extend it first");
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.extend(LEASE)).isTrue();
        String exported = lease.export();
        lease.close();
        clock.advance(LEASE);
        assertThat(other.resume(exported).isHeld()).isTrue();
    }

    @Test
    void aLeaseWhoseExportIsRefusedIsReleasedByClose() {
        Lease lease = heldFor(MAXIMUM.plusSeconds(15));
        assertThatThrownBy(lease::export).isInstanceOf(IllegalStateException.class);
        lease.close();
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void aHolderMayExtendItsLeaseBeyondTheMaximumAndRenewalDoesNotBeginAgain() {
        Lease lease = heldFor(MAXIMUM.plusSeconds(1));
        assertThat(lease.extend(LEASE)).isTrue();
        Duration left = lease.remaining();
        assertThat(left).isGreaterThan(LEASE);
        assertThat(staysHeld(lease)).isBetween(left.minusSeconds(1), left.plusSeconds(1));
    }
}
