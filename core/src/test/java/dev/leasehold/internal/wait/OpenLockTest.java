package dev.leasehold.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.ScriptedTransport;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The lock is left open while the woken head of the local queue is about to run: other callers may barge, within limits. */
class OpenLockTest {

    private final EngineRig rig = new EngineRig();
    private final Deque<Runnable> steps = new ArrayDeque<>();
    private final Engine engine = new Engine(rig.parts(rig.redis, Runnable::run, steps::add, true, EngineRig.limits()));
    private final DistributedLock lock = engine.lock(EngineRig.KEY, EngineRig.OPTIONS);
    private Lease held = heldForManyHandOffs(lock);
    private final CompletableFuture<Lease> first = waiter();

    OpenLockTest() {
        runWoken();
    }

    /** Returns a hold with tokens for a thousand hand-offs. */
    private Lease heldForManyHandOffs(DistributedLock of) {
        long token = rig.time.serverMicros();
        rig.redis.answers(
                "acquire",
                call -> rig.redis.reply("granted", "30000000", Long.toString(token), Long.toString(token + 1000)));
        Lease lease = of.tryAcquireAsync().toCompletableFuture().join().orElseThrow();
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "0"));
        return lease;
    }

    private CompletableFuture<Lease> waiter() {
        return lock.acquireAsync().toCompletableFuture();
    }

    /** Returns the lease of a waiter that must have the lock by now; otherwise the join would block forever. */
    private static Lease soon(CompletableFuture<Lease> waiter) {
        assertThat(waiter).isCompleted();
        return waiter.join();
    }

    /** Runs the waiters that were woken. */
    private void runWoken() {
        while (!steps.isEmpty()) {
            steps.pop().run();
        }
    }

    /** From here on Redis continues the hold of the client, with a thousand new tokens. */
    private void redisContinuesTheHold() {
        long token = rig.time.serverMicros() + 500_000;
        rig.redis.answers(
                "go_on",
                call -> rig.redis.reply("going", "30000000", Long.toString(token), Long.toString(token + 1000)));
    }

    @Test
    void aCallerBeforeTheHeadRunsTakesTheLockWithoutARequest() {
        rig.redis.sent.clear();
        held.release();
        CompletableFuture<Lease> passing = waiter();
        assertThat(passing).isCompleted();
        assertThat(soon(passing).fencingToken()).isEqualTo(held.fencingToken() + 1);
        runWoken();
        assertThat(first).isNotDone();
        soon(passing).release();
        runWoken();
        assertThat(soon(first).fencingToken()).isEqualTo(held.fencingToken() + 2);
        // The last waiter of the local queue released the position.
        assertThat(rig.redis.sent).extracting(ScriptedTransport.Sent::name).containsExactly("leave");
    }

    @Test
    void callersBargeForAMillisecondAtMost() {
        held.release();
        Lease passing = soon(waiter());
        runWoken();
        rig.pass(Duration.ofNanos(999_999));
        passing.release();
        Lease last = soon(waiter());
        runWoken();
        rig.pass(Duration.ofNanos(1));
        last.release();
        // The lock is handed to the head, though it has not run yet.
        assertThat(waiter()).isNotDone();
        runWoken();
        assertThat(first).isCompleted();
    }

    @Test
    void callersBargeALimitedNumberOfTimes() {
        List<Lease> passing = new ArrayList<>(List.of(held));
        for (int i = 0; i < LocalHold.MAX_BARGES; i++) {
            passing.get(i).release();
            passing.add(soon(waiter()));
        }
        passing.get(LocalHold.MAX_BARGES).release();
        assertThat(waiter()).isNotDone();
        runWoken();
        assertThat(first).isCompleted();
    }

    @Test
    void bargingBeginsAnewForTheNextWaiter() {
        CompletableFuture<Lease> second = waiter();
        runWoken();
        held.release();
        Lease passing = soon(waiter());
        runWoken();
        passing.release();
        runWoken();
        soon(first).release();
        assertThat(waiter()).isCompleted();
        assertThat(second).isNotDone();
    }

    @Test
    void afterALongHoldTheHeadGetsTheLockImmediately() {
        rig.pass(Duration.ofMillis(1));
        held.release();
        assertThat(waiter()).isNotDone();
        runWoken();
        assertThat(first).isCompleted();
    }

    @Test
    void aLeaseWithoutRenewalKeepsItsFullLeaseTimeInAHandOff() {
        LockOptions once = EngineRig.OPTIONS.toBuilder().renewal(Renewal.none()).build();
        first.cancel(false);
        runWoken();
        held.release();
        DistributedLock plain = lock.with(once);
        held = heldForManyHandOffs(plain);
        CompletableFuture<Lease> next = plain.acquireAsync().toCompletableFuture();
        runWoken();
        redisContinuesTheHold();
        held.release();
        assertThat(plain.acquireAsync().toCompletableFuture()).isNotDone();
        rig.pass(Duration.ofSeconds(1));
        runWoken();
        assertThat(next).isCompleted();
    }

    @Test
    void aCallerWithAnotherLeaseTimeOrOwnerDoesNotBarge() {
        LockOptions other =
                EngineRig.OPTIONS.toBuilder().leaseTime(Duration.ofSeconds(29)).build();
        held.release();
        assertThat(lock.with(other).acquireAsync().toCompletableFuture()).isNotDone();
        assertThat(lock.ownedBy("order-17").acquireAsync().toCompletableFuture())
                .isNotDone();
        runWoken();
        assertThat(first).isCompleted();
    }

    @Test
    void aWaiterThatRunsTooLateReleasesTheHoldAndSendsARequest() {
        held.release();
        rig.pass(EngineRig.LEASE.dividedBy(2).plusMillis(1));
        // The rest of the lease is too short for any waiter.
        assertThat(waiter()).isNotDone();
        assertThat(rig.redis.sent("release")).isEmpty();
        runWoken();
        assertThat(first).isNotDone();
        assertThat(rig.redis.sent("release"))
                .singleElement()
                .satisfies(sent -> assertThat(sent.arg(0)).isEqualTo("acquisition-1"));
        assertThat(rig.redis.last("acquire").arg(0)).isNotEqualTo("acquisition-1");
    }

    @Test
    void aHoldThatIsLostMeanwhileIsNotTaken() {
        CompletableFuture<Lease> second = waiter();
        runWoken();
        rig.redis.silent("renew");
        rig.pass(Duration.ofSeconds(11));
        runWoken();
        redisContinuesTheHold();
        held.release();
        runWoken();
        // The lock is open to the second waiter when the answer to an earlier renewal arrives.
        soon(first).release();
        rig.redis.last("renew").answer().complete(rig.redis.reply("gone", "free"));
        runWoken();
        assertThat(second).isNotDone();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.lost).isEmpty();
    }

    @Test
    void shutDownReleasesALockThatIsLeftOpen() {
        held.release();
        engine.shutDown();
        runWoken();
        assertThat(first).isCompletedExceptionally();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(engine.quiet()).isTrue();
    }

    @Test
    void aCancelledHeadReleasesTheHoldAndTheNextWaiterPolls() {
        CompletableFuture<Lease> second = waiter();
        runWoken();
        held.release();
        int before = rig.redis.sent("acquire").size();
        first.cancel(false);
        runWoken();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.redis.sent("acquire")).hasSizeGreaterThan(before);
        assertThat(second).isNotDone();
    }
}
