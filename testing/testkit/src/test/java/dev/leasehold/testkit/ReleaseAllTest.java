package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LockOptions;
import dev.leasehold.MultiLease;
import dev.leasehold.event.LossCause;
import dev.leasehold.inspect.ReleasedLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The release of all leases of a client, with the real scripts, in virtual time. */
class ReleaseAllTest {

    private final ManualClock clock = ManualClock.create();
    private final InMemoryLeasehold own = InMemoryLeasehold.create(clock);
    private final InMemoryLeasehold other = own.another();

    @AfterEach
    void close() {
        own.close();
        other.close();
    }

    @Test
    void everyKindOfLeaseIsLostAndItsLockIsFree() {
        Lease plain = own.lock("a").tryAcquire().orElseThrow();
        Lease reader = own.readWriteLock("b").readLock().tryAcquire().orElseThrow();
        Lease secondReader = own.readWriteLock("b").readLock().tryAcquire().orElseThrow();
        Lease permit = own.semaphore("c", 1).tryAcquire().orElseThrow();
        MultiLease several = own.allOf("d", "e").tryAcquire().orElseThrow();
        own.lock("f").lock();
        Lease exported = own.lock("g").tryAcquire().orElseThrow();
        exported.export();
        Lease kept = own.lock("h")
                .with(LockOptions.builder().minHold(Duration.ofSeconds(10)).build())
                .tryAcquire()
                .orElseThrow();
        List<LossCause> causes = new ArrayList<>();
        plain.onLost(loss -> causes.add(loss.cause()));

        List<ReleasedLease> released = own.releaseAll();

        assertThat(released).allMatch(ReleasedLease::confirmed);
        assertThat(released)
                .extracting(ReleasedLease::lockName)
                .containsExactlyInAnyOrder("a", "b", "b", "c", "d", "e", "f", "g", "h");
        assertThat(released)
                .extracting(ReleasedLease::lockName, ReleasedLease::fencingToken)
                .contains(tuple("a", plain.fencingToken()));
        assertThat(causes).containsExactly(LossCause.DELETED);
        for (Lease lease : List.of(plain, reader, secondReader, permit, several, kept)) {
            assertThat(lease.isHeld()).isFalse();
            assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
        }
        assertThat(own.lock("f").isHeldByCurrentThread()).isFalse();
        assertThat(other.allOf("a", "d", "e", "f", "g", "h").tryAcquire()).isPresent();
        assertThat(other.readWriteLock("b").writeLock().tryAcquire()).isPresent();
        assertThat(other.semaphore("c", 1).tryAcquire()).isPresent();
        assertThat(own.releaseAll()).isEmpty();
    }

    @Test
    void theClientStaysOpenAndLeasesOfOthersStayHeld() {
        Lease theirs = other.lock("theirs").tryAcquire().orElseThrow();
        Lease unused = own.lock("a").tryAcquire().orElseThrow();
        assertThat(own.releaseAll()).hasSize(1);
        assertThat(theirs.isHeld()).isTrue();
        assertThat(own.lock("theirs").tryAcquire()).isEmpty();
        Lease next = own.lock("a").tryAcquire().orElseThrow();
        assertThat(next.fencingToken()).isGreaterThan(unused.fencingToken());
        clock.advance(Duration.ofMinutes(5));
        assertThat(next.isHeld()).as("renewed as usual").isTrue();
    }

    @Test
    void withoutAnAnswerItIsNotConfirmedAndRepeatedInTheBackground() {
        Lease lease = own.lock("a").tryAcquire().orElseThrow();
        own.cutOff(true);
        assertThat(own.releaseAll()).extracting(ReleasedLease::confirmed).containsExactly(false);
        assertThat(lease.isHeld()).isFalse();
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        own.cutOff(false);
        clock.advance(Duration.ofSeconds(5));
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void aRetainedHoldIsReleasedTooAndAClosedClientRefuses() {
        LockOptions retaining =
                LockOptions.builder().retainFor(Duration.ofSeconds(1)).build();
        own.lock("a").with(retaining).tryAcquire().orElseThrow().close();
        assertThat(own.releaseAll()).isEmpty();
        assertThat(other.lock("a").tryAcquire()).isPresent();
        own.close();
        assertThatThrownBy(own::releaseAll).isInstanceOf(IllegalStateException.class);
    }
}
