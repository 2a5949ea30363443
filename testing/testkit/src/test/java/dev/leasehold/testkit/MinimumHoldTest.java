package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The minimum hold with the real scripts, in virtual time. */
class MinimumHoldTest {

    private static final Duration MINIMUM = Duration.ofSeconds(10);
    private static final LockOptions OPTIONS =
            LockOptions.builder().minHold(MINIMUM).build();

    private final ManualClock clock = ManualClock.create();
    private final InMemoryLeasehold own = InMemoryLeasehold.create(clock);
    private final InMemoryLeasehold other = own.another();
    private final DistributedLock lock = own.lock("a").with(OPTIONS);

    @AfterEach
    void close() {
        own.close();
        other.close();
    }

    @Test
    void aReleasedLockIsFreeWhenItsMinimumIsOverAndNotBefore() {
        Lease lease = lock.tryAcquire().orElseThrow();
        clock.advance(Duration.ofSeconds(4));
        lease.release();
        assertThat(lease.isHeld()).isFalse();
        assertThat(other.lock("a").inspect().orElseThrow().label()).isEqualTo("released; kept for minHold");
        clock.advance(Duration.ofMillis(5990));
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        assertThat(lock.tryAcquire()).isEmpty();
        clock.advance(Duration.ofMillis(20));
        Lease next = other.lock("a").tryAcquire().orElseThrow();
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
    }

    @Test
    void aLockIsNotHandedToAWaiterOfTheSameClientBeforeTheMinimumIsOver() throws InterruptedException {
        long from = clock.nanoTime();
        Lease first = lock.tryAcquire().orElseThrow();
        first.release();
        Lease next = lock.acquire(Duration.ofMinutes(1));
        assertThat(Duration.ofNanos(clock.nanoTime() - from)).isBetween(MINIMUM, MINIMUM.plusSeconds(1));
        next.release();
    }

    @Test
    void aHoldThatIsReleasedAfterItsMinimumIsFreeAtOnce() {
        Lease lease = lock.tryAcquire().orElseThrow();
        clock.advance(MINIMUM);
        lease.release();
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void theLockOfAThreadAndAnExportedLeaseThatIsReleasedStayToo() {
        lock.lock();
        lock.unlock();
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        clock.advance(MINIMUM.plusMillis(1));
        Lease lease = lock.tryAcquire().orElseThrow();
        lease.export();
        lease.release();
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        clock.advance(MINIMUM.plusMillis(1));
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void aClientThatIsClosedLeavesTheHoldToItsLease() {
        Lease unused = lock.tryAcquire().orElseThrow();
        own.close();
        clock.advance(MINIMUM);
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        clock.advance(OPTIONS.leaseTime());
        assertThat(other.lock("a").tryAcquire()).isPresent();
        assertThat(unused.isHeld()).isFalse();
    }

    @Test
    void aReplyThatIsLostIsMadeGoodByARepeat() {
        Lease lease = lock.tryAcquire().orElseThrow();
        own.dropNextReply();
        lease.release();
        clock.advance(Duration.ofSeconds(7));
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        clock.advance(Duration.ofSeconds(5));
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void aForcedReleaseFreesTheLockBefore() {
        lock.tryAcquire().orElseThrow().release();
        assertThat(other.lock("a").forceRelease()).isTrue();
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void aResumedLeaseHasTheMinimumOfItsOwnOptions() {
        Leasehold successor = own.another();
        String exported = own.lock("a").tryAcquire().orElseThrow().export();
        Lease resumed = successor.resume(exported, OPTIONS);
        resumed.release();
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        clock.advance(MINIMUM.plusMillis(1));
        String ofOwner = own.lock("a").ownedBy("me").tryAcquire().orElseThrow().export();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> successor.resume(ofOwner, OPTIONS))
                .withMessageContaining("minHold makes no sense for lock 'a'");
        successor.close();
    }

    @Test
    void aLeaseThatIsHandedTheLockHasItsWholeMinimumThoughItsProcessStops() {
        LockOptions short10 = LockOptions.builder().leaseTime(MINIMUM).build();
        Lease blocking = other.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Lease> first =
                own.lock("a").with(short10).acquireAsync().toCompletableFuture();
        CompletableFuture<Lease> second = own.lock("a")
                .with(short10.toBuilder().minHold(MINIMUM).build())
                .acquireAsync()
                .toCompletableFuture();
        blocking.release();
        clock.advance(Duration.ofMillis(15));
        first.join().release();
        clock.advance(Duration.ofMillis(1));
        assertThat(second).isCompleted();
        own.cutOff(true);
        clock.advance(MINIMUM.minusMillis(5));
        assertThat(other.lock("a").tryAcquire()).isEmpty();
    }

    @Test
    void theMinimumOfAnInnerLockCountsForNothing() {
        DistributedLock outer = own.lock("a");
        outer.lock();
        lock.lock();
        lock.unlock();
        outer.unlock();
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }
}
