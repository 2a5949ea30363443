package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockFailure;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockOptions;
import dev.leasehold.WaitStrategy;
import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.BusyEvent;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.event.WaitingEvent;
import dev.leasehold.inspect.LockInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A lock as leases: each covers one section of work and is not tied to a thread. */
class LeaseContract extends LockBase {

    @Test
    void aLeaseExcludesAllOthersUntilItIsReleased() throws Exception {
        String name = name();
        DistributedLock lock = lock(client(), name);
        Lease lease = lock.acquire();
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.name()).isEqualTo(name);
        assertThat(lock(client(), name).tryAcquire()).isEmpty();
        lease.release();
        assertThat(lease.isHeld()).isFalse();
        try (Lease next = acquireFree(lock(client(), name))) {
            assertThat(next.isHeld()).isTrue();
        }
    }

    @Test
    void anAcquireNeverReentersEvenOnItsOwnThread() throws Exception {
        DistributedLock lock = lock(client(), name());
        try (Lease lease = lock.acquire()) {
            assertThat(lock.tryAcquire()).isEmpty();
            assertThat(lock.tryLock()).isFalse();
            lease.ensureHeld();
        }
    }

    @Test
    void aLeaseMayBeReleasedByAnyThread() throws Exception {
        String name = name();
        Lease lease = lock(client(), name).acquire();
        inThread(() -> {
                    lease.ensureHeld();
                    lease.close();
                    return true;
                })
                .get(1, TimeUnit.MINUTES);
        assertThat(isFree(name)).isTrue();
    }

    @Test
    void releaseIsIdempotentAndNeverTouchesTheNextHolder() throws Exception {
        String name = name();
        Lease first = lock(client(), name).acquire();
        first.release();
        try (Lease second = lock(client(), name).acquire()) {
            first.release();
            first.close();
            second.ensureHeld();
            assertThat(holds(name)).isEqualTo(1);
        }
    }

    @Test
    void aReleasedLeaseIsNotHeldAndSaysSo() throws Exception {
        Lease lease = lock(client(), name()).acquire();
        lease.close();
        assertThat(lease.remaining()).isZero();
        assertThatThrownBy(lease::ensureHeld)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("released");
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("released");
    }

    @Test
    void aTimedAcquireThrowsWhenOthersHoldTheLockForTheWholeTime() throws Exception {
        String name = name();
        // Not one that takes over a retained hold: a second without a renewal would end it.
        try (Lease held = unusedLock(client(), name).acquire()) {
            DistributedLock other = lock(client(), name);
            assertThatThrownBy(() -> outOfDoubt(() -> other.acquire(Duration.ofMillis(500))))
                    .isInstanceOf(LockNotAcquiredException.class)
                    .hasMessageContaining(name)
                    .hasMessageMatching(".* ms and (1 try|([2-9]|[1-9]\\d+) tries)\\. .*");
            assertThat(outOfDoubt(() -> other.tryAcquire(Duration.ofMillis(500))))
                    .isEmpty();
            held.ensureHeld();
        }
    }

    @Test
    void theNumberOfTriesEndsAWaitWithoutATimeLimit() throws Exception {
        String name = name();
        LockOptions threeTries = LockOptions.builder()
                .waitStrategy(WaitStrategy.polling(Duration.ofMillis(5), 3))
                .build();
        // Not one that takes over a retained hold: a second without a renewal would end it.
        try (Lease held = unusedLock(client(), name).acquire()) {
            assertThatThrownBy(() -> lock(client(), name, threeTries).acquire())
                    .isInstanceOf(LockNotAcquiredException.class)
                    .hasMessageContaining("3 tries");
            held.ensureHeld();
        }
    }

    @Test
    void aWaiterGetsTheLockWhenTheHolderReleases() throws Exception {
        String name = name();
        Lease held = lock(client(), name).acquire();
        DistributedLock theirs = lock(client(), name);
        CompletableFuture<Lease> waiting = inThread(() -> theirs.acquire(Duration.ofSeconds(15)));
        held.close();
        waiting.get(1, TimeUnit.MINUTES).close();
    }

    @Test
    void anExtensionAddsToWhatRemainsAndRenewalNeverShortensIt() throws Exception {
        String name = name();
        try (Lease lease = lock(client(), name, renewedSoon()).acquire()) {
            assertThat(lease.extend(Duration.ofSeconds(35))).isTrue();
            assertThat(lease.remaining()).isBetween(Duration.ofSeconds(35), Duration.ofSeconds(55));
            long end = holdEnd(name);
            long extended = serverMicros();
            // Renewals come in this time. Each sends what remains, and the end moves by the time that it was on its
            // way.
            await().until(() -> serverMicros() > extended + 600_000);
            assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(30));
            assertThat(holdEnd(name)).isBetween(end, end + 10_000_000);
        }
    }

    @Test
    void aRepeatedExtensionAfterALostReplyAddsNothingTwice() throws Exception {
        // finding 5: "remaining + given" must be a target and not a sum.
        String name = name();
        List<FaultProxy> proxies = proxies();
        Leasehold leasehold = client(uri(proxies), builder -> builder.commandTimeout(Duration.ofMillis(800)));
        try (Lease lease = lock(leasehold, name, unrenewed(20_000)).acquire()) {
            List<Fault> dropped = proxies.stream()
                    .map(proxy -> proxy.matching(request -> request.contains(lease.owner()))
                            .dropNextReplyThenReset())
                    .toList();
            assertThat(lease.extend(Duration.ofSeconds(10))).isTrue();
            await().until(() -> dropped.stream().allMatch(one -> one.count() == 1));
            long left = holdEnd(name) - serverMicros();
            assertThat(left).isBetween(25_000_000L, 30_500_000L);
        }
    }

    @Test
    void inspectShowsTheHolder() throws Exception {
        String name = name();
        LockOptions labelled = LockOptions.builder().label("trace-42").build();
        try (Lease lease = unusedLock(client(), name, labelled).acquire()) {
            LockInfo info = lock(client(), name).inspect().orElseThrow();
            assertThat(info.name()).isEqualTo(name);
            assertThat(info.owner()).isEqualTo(lease.owner());
            assertThat(info.ownerNamed()).isFalse();
            assertThat(info.host()).isNotBlank();
            assertThat(info.pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(info.thread()).isEqualTo(Thread.currentThread().getName());
            assertThat(info.left()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
            assertThat(info.fencingToken()).isEqualTo(lease.fencingToken());
            assertThat(info.count()).isEqualTo(1);
            assertThat(info.label()).isEqualTo("trace-42");
            assertThat(client().inspector().locks()).extracting(LockInfo::name).contains(name);
            assertThat(client().lock(name).inspect()).isPresent();
        }
        assertThat(holder(lock(client(), name))).isEmpty();
    }

    @Test
    void aForcedReleaseFreesTheLockAndNotifiesTheHolder() throws Exception {
        String name = name();
        AtomicInteger losses = new AtomicInteger();
        Lease lease = lock(client(), name, renewedSoon()).acquire();
        lease.onLost(event -> losses.incrementAndGet());
        DistributedLock other = lock(client(), name);
        assertThat(other.forceRelease()).isTrue();
        assertThat(other.forceRelease()).isFalse();
        try (Lease next = other.tryAcquire().orElseThrow()) {
            assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
            await().until(() -> losses.get() == 1);
            assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
            next.ensureHeld();
        }
    }

    @Test
    void aForcedReleaseIsKnownAtOnceWhereItWasDone() throws Exception {
        DistributedLock lock = lock(client(), name(), renewedSoon());
        lock.lock();
        assertThat(lock.forceRelease()).isTrue();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        Lease lease = lock.acquire();
        assertThat(lock.forceRelease()).isTrue();
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aForcedReleaseThatNamesATokenTakesTheLockFromItsHolderOnly() throws Exception {
        String name = name();
        DistributedLock other = lock(client(), name);
        Lease former = lock(client(), name).acquire();
        long seen = other.inspect().orElseThrow().fencingToken();
        former.close();
        Lease lease = lock(client(), name).acquire();
        assertThat(other.forceRelease(seen)).isFalse();
        assertThat(other.forceRelease(lease.fencingToken() + 1_000_000_000)).isFalse();
        lease.ensureHeld();
        assertThat(other.tryAcquire()).isEmpty();
        assertThat(other.forceRelease(lease.fencingToken())).isTrue();
        // A server of a quorum may be later than the majority.
        await().until(() -> !other.forceRelease(lease.fencingToken()));
        other.tryAcquire().orElseThrow().close();
        assertThatThrownBy(() -> other.forceRelease(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name);
    }

    @Test
    void aListenerReceivesWaitingBusyAcquiredAndReleased() throws Exception {
        String name = name();
        Queue<String> received = new ConcurrentLinkedQueue<>();
        Leasehold leasehold = client(server().uri(), builder -> builder.listener(recording(received)));
        // Not used before: a lease over a retained hold has little time until it is renewed.
        try (Lease held = unusedLock(client(), name).acquire()) {
            DistributedLock busy = lock(leasehold, name);
            assertThat(outOfDoubt(() -> busy.tryAcquire(Duration.ofMillis(500))))
                    .isEmpty();
            held.ensureHeld();
        }
        lock(leasehold, name).acquire().close();
        await().untilAsserted(() -> assertThat(received)
                .contains("waiting " + name, "busy " + name, "acquired " + name, "released " + name));
    }

    private static LeaseholdListener recording(Queue<String> received) {
        return new LeaseholdListener() {
            @Override
            public void acquired(AcquiredEvent event) {
                received.add("acquired " + event.lockName());
            }

            @Override
            public void busy(BusyEvent event) {
                received.add("busy " + event.lockName());
            }

            @Override
            public void waiting(WaitingEvent event) {
                received.add("waiting " + event.lockName());
            }

            @Override
            public void released(ReleasedEvent event) {
                received.add("released " + event.lockName());
                throw new IllegalStateException("a listener that throws breaks nothing");
            }
        };
    }

    @Test
    void noKeyIsLeftAfterTheTokenMemory() throws Exception {
        String name = name();
        Leasehold leasehold = client(server().uri(), builder -> builder.rememberTokens(Duration.ofSeconds(2)));
        unusedLock(leasehold, name).acquire().close();
        assertThat(exists(key(name))).isTrue();
        // Until the command timeout is over, a copy of the request may arrive, or an answer of a server be open: as
        // long the token is kept.
        long copies = sendsAtMostOnce() && !topology().isQuorum() ? 0 : 2_000;
        assertThat(left(key(name))).isBetween(1L, 2100L + retainMillis() + copies);
        await().until(() -> !exists(key(name)));
    }

    @Test
    void aTaskRunsUnderALeaseThatIsClosedWhateverHappens() throws Exception {
        String name = name();
        DistributedLock lock = lock(client(), name);
        DistributedLock other = client().lock(name);
        lock.run(LIMIT, lease -> {
            lease.ensureHeld();
            assertThat(other.tryAcquire()).isEmpty();
        });
        acquireFree(other).close();
        assertThat(lock.<Long, RuntimeException>call(LIMIT, Lease::fencingToken))
                .isPositive();
        acquireFree(other).close();
        IOException own = new IOException("the task failed");
        assertThatThrownBy(() -> lock.run(LIMIT, lease -> {
                    throw own;
                }))
                .isSameAs(own);
        acquireFree(other).close();
    }

    @Test
    void aTaskThatDoesNotGetTheLockDoesNotRun() throws Exception {
        String name = name();
        AtomicInteger runs = new AtomicInteger();
        try (Lease held = unusedLock(client(), name).acquire()) {
            DistributedLock busy = lock(client(), name);
            assertThatThrownBy(
                            () -> outOfDoubt(() -> busy.call(Duration.ofMillis(300), lease -> runs.incrementAndGet())))
                    .isInstanceOf(LockNotAcquiredException.class);
            held.ensureHeld();
        }
        assertThat(runs).hasValue(0);
    }

    @Test
    void aLossIsThrownAfterTheTaskUnlessThatFailedItself() {
        String name = name();
        DistributedLock lock = unusedLock(client(), name);
        assertThatThrownBy(() -> lock.run(LIMIT, lease -> delete(key(name))))
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        e -> assertThat(((LockFailure) e).lockName()).isEqualTo(name));
        assertThatThrownBy(() -> lock.run(LIMIT, lease -> {
                    delete(key(name));
                    throw new UnsupportedOperationException("the task failed");
                }))
                .isInstanceOf(UnsupportedOperationException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).singleElement().isInstanceOf(LeaseLostException.class));
    }

    @Test
    void anExceptionInTheBodyStaysThePrimaryOneWhenTheLeaseIsLostToo() throws Exception {
        // hazard 51: finally { unlock } hides the first exception.
        String name = name();
        DistributedLock lock = unusedLock(client(), name);
        assertThatThrownBy(() -> {
                    try (Lease lease = lock.acquire()) {
                        delete(key(name));
                        lease.remaining();
                        throw new UnsupportedOperationException("the body failed");
                    }
                })
                .isInstanceOf(UnsupportedOperationException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).singleElement().isInstanceOf(LeaseLostException.class));
    }
}
