package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.interop.Formats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Requests whose answers are lost, or that arrive after their caller has left: no lock is taken twice, or held for
 * a caller that has left.
 */
class CompensationContract extends WiredBase {

    /** Sends a call that the test has kept. */
    private interface Kept extends Supplier<CompletionStage<List<String>>> {}

    @Test
    void aReleaseWhoseAnswerIsLostIsAReleaseAlsoWhenAnotherTakesTheLockBeforeItIsRepeated() throws Exception {
        // finding 19: the second attempt says "not yours", and all is well.
        String name = name();
        DistributedLock theirs = client().lock(name);
        CompletableFuture<Lease> taken = new CompletableFuture<>();
        Wiretap wire = wire();
        Lease lease = client(wire, builder -> {}).lock(name).acquire();
        wire.next("release", (call, go) -> {
            Wiretap.executed(go);
            taken.complete(theirs.tryAcquire().orElseThrow());
            return Wiretap.lost();
        });
        lease.close();
        Lease next = taken.get(1, TimeUnit.MINUTES);
        next.ensureHeld();
        assertThat(holds(name)).isEqualTo(1);
        next.close();
    }

    @Test
    void aDriverThatSendsKeptRequestsAfterTheirCallerHasLeftLeavesNoLockHeld() throws Exception {
        // hazard 6: drivers that promise at-least-once keep commands while disconnected, and send them later.
        String name = name();
        Queue<Kept> kept = new ConcurrentLinkedQueue<>();
        AtomicInteger releases = new AtomicInteger();
        Wiretap wire = wire();
        Duration limit = Duration.ofMillis(300);
        long created = serverMicros();
        DistributedLock lock =
                client(wire, builder -> builder.commandTimeout(limit)).lock(name);
        wire.all((call, go) -> {
            if (Wiretap.isAcquire(call)) {
                kept.add(go::get);
            }
            return new CompletableFuture<>();
        });
        assertThatThrownBy(() -> lock.tryAcquire(Duration.ofMillis(200)))
                .isInstanceOf(LockUnavailableException.class)
                .satisfies(e ->
                        assertThat(((LockUnavailableException) e).mayBeTaken()).isTrue());
        untilLate(created, limit);
        wire.all((call, go) -> go.get().whenComplete((reply, failure) -> releases.incrementAndGet()));
        await().until(() -> releases.get() > 0);
        assertThat(kept).isNotEmpty();
        for (Kept late : kept) {
            assertThat(Wiretap.executed(late)).first().isIn("stale", "undecided");
        }
        assertThat(holds(name)).isZero();
    }

    @Test
    void anAcquireThatIsOvertakenByItsOwnCompensationIsStillUndone() throws Exception {
        // finding 11: release before its acquire; the release is final only after the acquire's notAfter.
        String name = name();
        assertThat(Wiretap.executed(overtaken(name)).get(0)).startsWith("granted");
        isGivenBack(name);
    }

    @Test
    void anAcquireThatIsOvertakenByItsOwnCompensationIsRefusedWhereRedisKnowsTheLock() throws Exception {
        // finding 11: the release leaves a tombstone, so that this acquisition must not be granted any more.
        String name = name();
        client().lock(name).acquire().close();
        assertThat(Wiretap.executed(overtaken(name))).first().isIn("stale", "undecided");
        assertThat(holds(name)).isZero();
    }

    /** Returns the acquire of an interrupted caller whose compensating release has been answered already. */
    private Kept overtaken(String name) throws Exception {
        CompletableFuture<Kept> acquire = new CompletableFuture<>();
        CompletableFuture<List<String>> released = new CompletableFuture<>();
        Wiretap wire = wire();
        wire.all((call, go) -> {
            if (Wiretap.isAcquire(call)) {
                acquire.complete(go::get);
                return new CompletableFuture<>();
            }
            return go.get().whenComplete((reply, failure) -> released.complete(reply));
        });
        Leasehold leasehold = client(wire, builder -> builder.commandTimeout(Duration.ofSeconds(3)));
        CompletableFuture<Thread> started = new CompletableFuture<>();
        CompletableFuture<Lease> waiting = inThread(() -> {
            started.complete(Thread.currentThread());
            return leasehold.lock(name).acquire();
        });
        Kept late = acquire.get(1, TimeUnit.MINUTES);
        started.get(1, TimeUnit.MINUTES).interrupt();
        assertThatThrownBy(() -> waiting.get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        released.get(1, TimeUnit.MINUTES);
        return late;
    }

    /** It took its position by a request without an answer; whether the repeat was answered or not, nothing of it stays. */
    @Test
    void aWaiterWhoseAnswerWasLostLeavesNoPositionBehind() throws Exception {
        for (boolean repeated : List.of(true, false)) {
            String name = name();
            Lease reader = client().readWriteLock(name).readLock().acquire();
            Wiretap wire = wire();
            AtomicInteger executed = new AtomicInteger();
            wire.all((call, go) -> {
                if (!call.script().name().equals("acquire") || (repeated && executed.get() > 0)) {
                    return go.get();
                }
                Wiretap.executed(go);
                executed.incrementAndGet();
                return Wiretap.lost();
            });
            Leasehold leasehold = client(wire, builder -> {});
            CompletableFuture<Lease> writer =
                    waiter(leasehold.readWriteLock(name).writeLock());
            soon().until(() -> executed.get() > 0);
            if (repeated) {
                untilWaiting(name, 1);
            }
            writer.cancel(false);
            await().until(() -> field(name, "wn").equals("null"));
            client().readWriteLock(name).readLock().acquire(LIMIT).close();
            reader.close();
        }
    }

    @Test
    void aRetryWhoseHoldHasEndedMeanwhileAcquiresAgainUnderAnotherId() throws Exception {
        // finding 5: an ended hold is never revived, so an id whose hold has ended is never used again.
        String name = name();
        CompletableFuture<String> first = new CompletableFuture<>();
        Wiretap wire = wire();
        wire.nextAcquire((call, go) -> {
            Wiretap.executed(go);
            first.complete(field(name, "own"));
            endHold(name);
            return Wiretap.lost();
        });
        Leasehold leasehold = client(wire, builder -> {});
        try (Lease lease = leasehold.lock(name).with(unrenewed(5000)).acquire()) {
            assertThat(field(name, "own")).isNotEqualTo(first.get(1, TimeUnit.MINUTES));
            assertThat(lease.remaining()).isGreaterThan(Duration.ofMillis(1));
            lease.ensureHeld();
            assertThat(holdEnd(name)).isGreaterThan(serverMicros());
        }
    }

    @Test
    void aLateCopyOfARequestThatChangesTheLockOfOthersIsRefused() throws Exception {
        String name = name();
        Map<String, Kept> copies = new ConcurrentHashMap<>();
        Wiretap wire = wire();
        Duration limit = Duration.ofSeconds(2);
        long created = serverMicros();
        Leasehold leasehold = client(wire, builder -> builder.commandTimeout(limit));
        wire.all((call, go) -> {
            copies.put(call.script().name(), go::get);
            return go.get();
        });
        assertThat(leasehold.lock(name).requestRelease()).isFalse();
        assertThat(leasehold.lock(name).forceRelease()).isFalse();
        assertThat(leasehold.lock(name + ":plain", Formats.plain()).forceRelease())
                .isFalse();
        assertThat(leasehold.lock(name + ":redisson", Formats.redisson()).forceRelease())
                .isFalse();
        assertThat(leasehold.semaphore(name + ":permits", 3).changePermits(1)).isZero();
        untilLate(created, limit);
        List<Lease> held = List.of(
                client().lock(name).acquire(),
                client().lock(name + ":plain", Formats.plain()).acquire(),
                client().lock(name + ":redisson", Formats.redisson()).acquire());
        assertThat(client().semaphore(name + ":permits", 3).changePermits(5)).isEqualTo(1);
        assertThat(copies.keySet())
                .containsExactlyInAnyOrder(
                        "request_release",
                        "force_release",
                        "plain_force_release",
                        "redisson_force_release",
                        "change_permits");
        for (Kept copy : copies.values()) {
            assertThat(Wiretap.executed(copy)).first().isEqualTo("stale");
        }
        held.forEach(Lease::close);
        assertThat(client().semaphore(name + ":permits", 3).changePermits(3)).isEqualTo(5);
    }

    @Test
    void aForcedReleaseThatRedisRefusesAsLateIsRepeatedWithTheTimeOfTheAnswer() throws Exception {
        String name = name();
        Wiretap wire = wire();
        Leasehold leasehold = client(wire, builder -> {});
        AtomicInteger sent = new AtomicInteger();
        client().lock(name).acquire();
        wire.all((call, go) -> sent.incrementAndGet() > 1
                ? go.get()
                : CompletableFuture.completedFuture(List.of("stale", Long.toString(serverMicros()))));
        assertThat(leasehold.lock(name).forceRelease()).isTrue();
        assertThat(sent).hasValue(2);
        assertThat(holds(name)).isZero();
    }
}
