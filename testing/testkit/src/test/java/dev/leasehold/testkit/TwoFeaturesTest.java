package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LeaseNotResumableException;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.MultiLease;
import dev.leasehold.Renewal;
import dev.leasehold.event.ReleaseRequestedEvent;
import dev.leasehold.interop.Formats;
import dev.leasehold.recipes.Candidacy;
import dev.leasehold.recipes.DemotionReason;
import dev.leasehold.recipes.Elections;
import dev.leasehold.recipes.LeaderListener;
import dev.leasehold.recipes.Term;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pairs of features that no other test brings together, with the real scripts, in virtual time. */
class TwoFeaturesTest {

    private static final LockOptions INTERRUPTED =
            LockOptions.builder().interruptOnLoss(true).build();
    private static final Duration AT_ONCE = Duration.ofMillis(100);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration MAXIMUM = Duration.ofSeconds(60);
    private static final LockOptions RETAINED =
            LockOptions.builder().retainFor(Duration.ofSeconds(1)).build();
    private static final LockOptions WITH_MAXIMUM =
            LockOptions.builder().leaseTime(LEASE).maxHold(MAXIMUM).build();

    private final ManualClock clock = ManualClock.create();
    private final InMemoryLeasehold own = InMemoryLeasehold.create(clock);
    private final InMemoryLeasehold other = own.another();

    @AfterEach
    void close() {
        own.close();
        other.close();
        Thread.interrupted();
    }

    private void takeAway(String name) {
        assertThat(other.lock(name).forceRelease()).isTrue();
        clock.advance(LEASE);
    }

    /** Returns for how long the lease stays held, within ten minutes. */
    private Duration heldFor(Lease lease) {
        long from = clock.nanoTime();
        while (lease.isHeld()
                && clock.nanoTime() - from < Duration.ofMinutes(10).toNanos()) {
            clock.advance(Duration.ofSeconds(1));
        }
        return Duration.ofNanos(clock.nanoTime() - from);
    }

    private Candidacy stand(InMemoryLeasehold client, LockOptions options, List<String> events) {
        return Elections.of(client).election("a").with(options).stand(new LeaderListener() {
            @Override
            public void onElected(Term term) {
                events.add("elected");
            }

            @Override
            public void onDemoted(Term term, DemotionReason reason) {
                events.add("demoted");
            }
        });
    }

    @Test
    void theMaximumOfSeveralLocksCountsFromWhenTheCallerHasThemAll() throws InterruptedException {
        for (String last : List.of("a", "b")) {
            Lease blocking = other.lock(last).acquire();
            CompletableFuture<MultiLease> waiting =
                    own.allOf("a", "b").with(WITH_MAXIMUM).acquireAsync().toCompletableFuture();
            for (int second = 0; second < 65; second++) {
                clock.advance(Duration.ofSeconds(1));
            }
            assertThat(waiting).isNotDone();
            blocking.close();
            while (!waiting.isDone()) {
                clock.advance(AT_ONCE);
            }
            assertThat(heldFor(waiting.join())).isBetween(MAXIMUM, MAXIMUM.plus(LEASE));
        }
    }

    @Test
    void theThreadOfAWriterIsInterruptedWhenTheLeaseOfTheReaderThatItBecameIsLost() throws InterruptedException {
        Lease writer = own.lock("a").with(INTERRUPTED).acquire();
        Lease reader = own.readWriteLock("a").downgrade(writer);
        clock.advance(LEASE);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        takeAway("a");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(reader.isHeld()).isFalse();
    }

    @Test
    void ofReadersThatShareAHoldOnlyTheThreadThatAskedForItIsInterrupted() throws InterruptedException {
        CountDownLatch reads = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread reader = new Thread(() -> {
            try (Lease unused =
                    own.readWriteLock("a").readLock().with(INTERRUPTED).acquire()) {
                reads.countDown();
                assertThat(new CountDownLatch(1).await(1, TimeUnit.MINUTES)).isFalse();
            } catch (InterruptedException expected) {
                interrupted.set(true);
            } catch (LeaseLostException expected) {
                // close() reports the loss.
            }
        });
        reader.start();
        reads.await();
        Lease unused = own.readWriteLock("a").readLock().acquire();
        takeAway("a");
        reader.join();
        assertThat(interrupted).isTrue();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aThreadIsInterruptedForALockThatItHasSeveralTimesAndNotAfterItsLastUnlock() {
        DistributedLock lock = own.lock("a").with(INTERRUPTED);
        lock.lock();
        lock.lock();
        lock.unlock();
        takeAway("a");
        assertThat(Thread.interrupted()).isTrue();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        lock.lock();
        lock.lock();
        lock.unlock();
        lock.unlock();
        Lease next = other.lock("a").tryAcquire().orElseThrow();
        takeAway("a");
        assertThat(next.isHeld()).isFalse();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void noThreadIsInterruptedForALeaseThatWasAcquiredAsynchronously() {
        Lease lease = own.lock("a")
                .with(INTERRUPTED)
                .acquireAsync()
                .toCompletableFuture()
                .join();
        takeAway("a");
        assertThat(lease.isHeld()).isFalse();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aThreadUnlocksAfterItsClientWasClosedAsOftenAsItLocked() {
        DistributedLock lock = own.lock("a");
        lock.lock();
        lock.lock();
        own.close();
        assertThat(other.lock("a").tryAcquire()).isPresent();
        lock.unlock();
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void aThreadHearsOfARequestByTheLeaseThatItHas() {
        List<ReleaseRequestedEvent> heard = new ArrayList<>();
        own.lock("a").lock();
        own.lock("a").lock();
        own.lock("a").leaseOfCurrentThread().orElseThrow().onReleaseRequested(heard::add);
        assertThat(other.lock("a").requestRelease()).isTrue();
        clock.advance(LEASE);
        assertThat(heard).hasSize(1);
        assertThat(own.lock("a").isHeldByCurrentThread()).isTrue();
    }

    @Test
    void aRequestWhoseAnswerIsLostOrWhoseStageIsCancelledIsHeardOnce() {
        for (String name : List.of("a", "b")) {
            List<ReleaseRequestedEvent> heard = new ArrayList<>();
            Lease lease = other.lock(name).tryAcquire().orElseThrow();
            lease.onReleaseRequested(heard::add);
            if (name.equals("a")) {
                own.dropNextReply();
                assertThatThrownBy(own.lock(name)::requestRelease).isInstanceOf(LockUnavailableException.class);
            } else {
                own.lock(name).requestReleaseAsync().toCompletableFuture().cancel(false);
            }
            clock.advance(LEASE);
            assertThat(heard).hasSize(1);
            assertThat(own.lock(name).requestRelease()).isTrue();
            clock.advance(LEASE);
            assertThat(heard).hasSize(1);
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void aSetIsBusyForTheThreadThatHasOneOfItsLocks() {
        own.lock("a").lock();
        assertThat(own.allOf("a", "b").tryAcquire()).isEmpty();
        own.lock("a").unlock();
        assertThat(own.allOf("a", "b").tryAcquire()).isPresent();
    }

    @Test
    void theMaximumOfAThreadCountsFromItsFirstLock() {
        DistributedLock lock = own.lock("a").with(WITH_MAXIMUM);
        lock.lock();
        Lease lease = lock.leaseOfCurrentThread().orElseThrow();
        clock.advance(Duration.ofSeconds(40));
        lock.lock();
        assertThat(heldFor(lease))
                .isBetween(Duration.ofSeconds(20), Duration.ofSeconds(20).plus(LEASE));
    }

    @Test
    void theMaximumCountsForEachLeaseThatUsesARetainedHold() {
        DistributedLock lock = own.lock("a")
                .with(WITH_MAXIMUM.toBuilder().retainFor(Duration.ofSeconds(1)).build());
        Lease first = lock.tryAcquire().orElseThrow();
        clock.advance(Duration.ofSeconds(50));
        first.release();
        assertThat(lock.inspect().orElseThrow().retained()).isTrue();
        Lease second = lock.tryAcquire().orElseThrow();
        assertThat(heldFor(second)).isBetween(MAXIMUM, MAXIMUM.plus(LEASE));
    }

    @Test
    void aLeaseThatHasPassedItsMaximumHearsOfARequestWhereKeysAreTracked() {
        List<ReleaseRequestedEvent> heard = new ArrayList<>();
        Lease lease = own.lock("a").with(WITH_MAXIMUM).tryAcquire().orElseThrow();
        lease.onReleaseRequested(heard::add);
        clock.advance(MAXIMUM.plusSeconds(1));
        assertThat(other.lock("a").requestRelease()).isTrue();
        clock.advance(AT_ONCE);
        assertThat(heard).hasSize(1);
        assertThat(heldFor(lease)).isLessThan(LEASE);
    }

    @Test
    void whereKeysAreTrackedAThreadAndALeaderHearAtOnceThatTheirLockWasTakenAway() {
        own.lock("b").lock();
        List<String> events = new ArrayList<>();
        stand(own, LockOptions.defaults(), events);
        clock.advance(Duration.ofSeconds(1));
        assertThat(other.lock("a").forceRelease()).isTrue();
        assertThat(other.lock("b").forceRelease()).isTrue();
        clock.advance(AT_ONCE);
        assertThat(events).startsWith("elected", "demoted");
        assertThat(own.lock("b").isHeldByCurrentThread()).isFalse();
    }

    @Test
    void aClientThatIsClosedReleasesALeaseThatHasPassedItsMaximum() {
        Lease lease = own.lock("a").with(WITH_MAXIMUM).tryAcquire().orElseThrow();
        clock.advance(MAXIMUM.plusSeconds(5));
        assertThat(lease.isHeld()).isTrue();
        own.close();
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void aClientThatIsClosedReleasesItsPlainLockForTheWaitersOfOthers() {
        Lease lease = own.lock("a", Formats.plain()).tryAcquire().orElseThrow();
        CompletableFuture<Lease> next =
                other.lock("a", Formats.plain()).acquireAsync().toCompletableFuture();
        clock.advance(Duration.ofSeconds(1));
        assertThat(next).isNotDone();
        own.close();
        clock.advance(Duration.ofSeconds(5));
        assertThat(next).isCompleted();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void readersPermitsASetAndATermOfOneNameExcludeEachOther() {
        Lease permit = own.semaphore("a", 3).tryAcquire().orElseThrow();
        assertThat(own.readWriteLock("a").readLock().tryAcquire()).isEmpty();
        assertThat(own.allOf("a", "b").tryAcquire()).isEmpty();
        List<String> events = new ArrayList<>();
        Candidacy candidacy = stand(other, LockOptions.defaults(), events);
        clock.advance(LEASE);
        assertThat(events).isEmpty();
        permit.close();
        clock.advance(LEASE);
        assertThat(events).containsExactly("elected");
        assertNobodyElseEnters();
        candidacy.close();
        clock.advance(Duration.ofSeconds(1));

        Lease reader = own.readWriteLock("a").readLock().tryAcquire().orElseThrow();
        assertThat(own.semaphore("a", 3).tryAcquire()).isEmpty();
        assertThat(other.semaphore("a", 3).tryAcquire()).isEmpty();
        assertWaitsFor(reader);
        assertWaitsFor(own.allOf("a", "b").tryAcquire().orElseThrow());
    }

    private void assertNobodyElseEnters() {
        assertThat(own.semaphore("a", 3).tryAcquire()).isEmpty();
        assertThat(own.readWriteLock("a").readLock().tryAcquire()).isEmpty();
        assertThat(own.allOf("a", "b").tryAcquire()).isEmpty();
    }

    private void assertWaitsFor(Lease holder) {
        List<String> events = new ArrayList<>();
        Candidacy candidacy = stand(other, LockOptions.defaults(), events);
        clock.advance(LEASE);
        assertThat(other.semaphore("a", 3).tryAcquire()).isEmpty();
        assertThat(events).isEmpty();
        holder.close();
        clock.advance(LEASE);
        assertThat(events).containsExactly("elected");
        candidacy.close();
        clock.advance(Duration.ofSeconds(1));
    }

    @Test
    void aLeaderWhoseLeaseIsNotRenewedIsDeposedAndStandsAgain() {
        List<String> unrenewed = new ArrayList<>();
        Candidacy candidacy = stand(
                own,
                LockOptions.builder()
                        .leaseTime(Duration.ofSeconds(5))
                        .renewal(Renewal.none())
                        .build(),
                unrenewed);
        clock.advance(Duration.ofSeconds(10));
        assertThat(unrenewed).startsWith("elected", "demoted", "elected");
        candidacy.close();
        clock.advance(Duration.ofSeconds(1));
        List<String> tooLong = new ArrayList<>();
        stand(own, WITH_MAXIMUM, tooLong);
        clock.advance(Duration.ofSeconds(50));
        assertThat(tooLong).containsExactly("elected");
        clock.advance(MAXIMUM);
        assertThat(tooLong).startsWith("elected", "demoted", "elected");
    }

    @Test
    void aLeaderThatResignsBeforeItsMinimumLeavesTheLockWithoutALeaderUntilThen() {
        Duration minimum = Duration.ofSeconds(20);
        Candidacy first = stand(own, LockOptions.builder().minHold(minimum).build(), new ArrayList<>());
        List<String> events = new ArrayList<>();
        stand(other, LockOptions.defaults(), events);
        clock.advance(Duration.ofSeconds(1));
        first.resign();
        clock.advance(minimum.minusSeconds(2));
        assertThat(events).isEmpty();
        clock.advance(Duration.ofSeconds(3));
        assertThat(events).containsExactly("elected");
    }

    /** Takes turns among more and more ordinary waiters; returns how many of them the fair waiter saw pass. */
    private int passing(CompletableFuture<Lease> fair, Deque<CompletableFuture<Lease>> ordinary) {
        int passed = 0;
        while (!fair.isDone()) {
            ordinary.add(own.lock("a").acquireAsync().toCompletableFuture());
            clock.advance(Duration.ofMillis(2));
            ordinary.remove().join().release();
            passed++;
        }
        return passed;
    }

    @Test
    void ordinaryWaitersThatComeLaterOvertakeAFairOneForTheRunOfTheirClient() {
        Lease blocking = other.lock("a").tryAcquire().orElseThrow();
        Deque<CompletableFuture<Lease>> ordinary = new ArrayDeque<>();
        for (int i = 0; i < 2; i++) {
            ordinary.add(own.lock("a").acquireAsync().toCompletableFuture());
        }
        blocking.release();
        clock.advance(Duration.ofMillis(1));
        CompletableFuture<Lease> fair = other.fairLock("a").acquireAsync().toCompletableFuture();
        long from = clock.nanoTime();
        assertThat(passing(fair, ordinary)).isGreaterThan(2);
        assertThat(Duration.ofNanos(clock.nanoTime() - from)).isLessThan(Duration.ofMillis(50));
    }

    private @Nullable String holdInRedis() {
        return own.redis().hash("leasehold:{a}").get("own");
    }

    @Test
    void aTermIsGrantedByRedisAndNotHandedOnWithinItsClient() {
        Lease first = own.lock("a").tryAcquire().orElseThrow();
        String hold = holdInRedis();
        List<String> events = new ArrayList<>();
        stand(own, LockOptions.defaults(), events);
        clock.advance(AT_ONCE);
        CompletableFuture<Lease> ordinary = own.lock("a").acquireAsync().toCompletableFuture();
        clock.advance(AT_ONCE);
        first.release();
        clock.advance(AT_ONCE);
        assertThat(events).containsExactly("elected");
        assertThat(ordinary).isNotDone();
        assertThat(holdInRedis()).isNotEqualTo(hold);
    }

    @Test
    void aLeaderGoesOnThoughSomebodyAsksItToRelease() {
        List<String> events = new ArrayList<>();
        Candidacy candidacy = stand(own, LockOptions.defaults(), events);
        assertThat(other.lock("a").requestRelease()).isTrue();
        clock.advance(LEASE);
        assertThat(events).containsExactly("elected");
        assertThat(candidacy.isLeader()).isTrue();
    }

    @Test
    void noThreadIsInterruptedForALeader() {
        List<String> events = new ArrayList<>();
        stand(own, INTERRUPTED, events);
        clock.advance(AT_ONCE);
        takeAway("a");
        assertThat(events).startsWith("elected", "demoted");
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void theThreadOfAnExportedLeaseIsInterruptedWhenItIsResumedUnlessItClosedItBefore() throws InterruptedException {
        Lease open = own.lock("a").with(INTERRUPTED).acquire();
        Lease closed = own.lock("b").with(INTERRUPTED).acquire();
        List<String> strings = List.of(open.export(), closed.export());
        closed.close();
        assertThat(other.resume(strings.get(1)).isHeld()).isTrue();
        clock.advance(LEASE);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(other.resume(strings.get(0)).isHeld()).isTrue();
        clock.advance(LEASE);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(open.isHeld()).isFalse();
    }

    @Test
    void theLastUnlockOfAThreadReleasesItsExportedLease() {
        DistributedLock lock = own.lock("a");
        lock.lock();
        String exported = lock.leaseOfCurrentThread().orElseThrow().export();
        lock.unlock();
        assertThatThrownBy(() -> other.resume(exported)).isInstanceOf(LeaseNotResumableException.class);
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void aHoldOfAFairLockThatWasResumedIsRetainedUntilSomebodyWaits() {
        String exported = own.fairLock("a").tryAcquire().orElseThrow().export();
        other.resume(exported, RETAINED).release();
        assertThat(own.lock("a").inspect().orElseThrow().retained()).isTrue();
        CompletableFuture<Lease> fair = own.fairLock("a").acquireAsync().toCompletableFuture();
        clock.advance(AT_ONCE);
        assertThat(fair).isCompleted();
    }

    @Test
    void aHoldOfANamedOwnerIsNotResumedToBeRetained() {
        Lease lease = own.lock("a").ownedBy("job").tryAcquire().orElseThrow();
        String exported = lease.export();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> other.resume(exported, RETAINED))
                .withMessageContaining("retainFor makes no sense for lock 'a'")
                .withMessageContaining("named owner");
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void aLeaseOfSeveralLocksIsNotDowngraded() {
        MultiLease several = own.allOf("a", "b").tryAcquire().orElseThrow();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> own.readWriteLock("a").downgrade(several))
                .withMessageContaining("it is of several locks");
        assertThat(several.isHeld()).isTrue();
    }
}
