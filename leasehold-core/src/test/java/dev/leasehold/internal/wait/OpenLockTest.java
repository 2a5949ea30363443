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

/** While the next waiter of a client is on its way to a lock that was handed to it, others may take it; for how long. */
class OpenLockTest {

    private final EngineRig rig = new EngineRig();
    private final Deque<Runnable> steps = new ArrayDeque<>();
    private final Engine engine = new Engine(rig.parts(rig.redis, Runnable::run, steps::add, true, EngineRig.limits()));
    private final DistributedLock lock = engine.lock(EngineRig.KEY, EngineRig.OPTIONS);
    private Lease held = heldInARun(lock);
    private final CompletableFuture<Lease> first = waiter();

    OpenLockTest() {
        arrive();
    }

    /** A hold that may be handed on a thousand times. */
    private Lease heldInARun(DistributedLock of) {
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

    /** Of who must have the lock by now: the test would wait for ever if not. */
    private static Lease soon(CompletableFuture<Lease> waiter) {
        assertThat(waiter).isCompleted();
        return waiter.join();
    }

    /** Runs the waiters that were woken. */
    private void arrive() {
        while (!steps.isEmpty()) {
            steps.pop().run();
        }
    }

    /** From here on Redis lets the client go on with the hold, with a thousand new tokens. */
    private void goesOn() {
        long token = rig.time.serverMicros() + 500_000;
        rig.redis.answers(
                "go_on",
                call -> rig.redis.reply("going", "30000000", Long.toString(token), Long.toString(token + 1000)));
    }

    @Test
    void whoAsksBeforeTheFirstHasComeTakesTheLockWithoutAskingRedis() {
        rig.redis.sent.clear();
        held.release();
        CompletableFuture<Lease> passing = waiter();
        assertThat(passing).isCompleted();
        assertThat(soon(passing).fencingToken()).isEqualTo(held.fencingToken() + 1);
        arrive();
        assertThat(first).isNotDone();
        soon(passing).release();
        arrive();
        assertThat(soon(first).fencingToken()).isEqualTo(held.fencingToken() + 2);
        // The last of the line has given the place in the queue back.
        assertThat(rig.redis.sent).extracting(ScriptedTransport.Sent::name).containsExactly("leave");
    }

    @Test
    void theFirstIsPassedForAMillisecondAtTheMost() {
        held.release();
        Lease passing = soon(waiter());
        arrive();
        rig.pass(Duration.ofNanos(999_999));
        passing.release();
        Lease last = soon(waiter());
        arrive();
        rig.pass(Duration.ofNanos(1));
        last.release();
        // Handed to the first, though it has not come for it yet.
        assertThat(waiter()).isNotDone();
        arrive();
        assertThat(first).isCompleted();
    }

    @Test
    void theFirstIsPassedByManyButNotByAllIfItDoesNotCome() {
        List<Lease> passing = new ArrayList<>(List.of(held));
        for (int i = 0; i < LocalHold.MAX_BARGES; i++) {
            passing.get(i).release();
            passing.add(soon(waiter()));
        }
        passing.get(LocalHold.MAX_BARGES).release();
        assertThat(waiter()).isNotDone();
        arrive();
        assertThat(first).isCompleted();
    }

    @Test
    void theNextOfTheLineIsPassedAnew() {
        CompletableFuture<Lease> second = waiter();
        arrive();
        held.release();
        Lease passing = soon(waiter());
        arrive();
        passing.release();
        arrive();
        soon(first).release();
        assertThat(waiter()).isCompleted();
        assertThat(second).isNotDone();
    }

    @Test
    void afterALongHoldTheFirstHasTheLockAtOnce() {
        rig.pass(Duration.ofMillis(1));
        held.release();
        assertThat(waiter()).isNotDone();
        arrive();
        assertThat(first).isCompleted();
    }

    @Test
    void aLeaseThatIsNotRenewedLosesNothingOnTheWay() {
        LockOptions once = EngineRig.OPTIONS.toBuilder().renewal(Renewal.none()).build();
        first.cancel(false);
        arrive();
        held.release();
        DistributedLock plain = lock.with(once);
        held = heldInARun(plain);
        CompletableFuture<Lease> next = plain.acquireAsync().toCompletableFuture();
        arrive();
        goesOn();
        held.release();
        assertThat(plain.acquireAsync().toCompletableFuture()).isNotDone();
        rig.pass(Duration.ofSeconds(1));
        arrive();
        assertThat(next).isCompleted();
    }

    @Test
    void whoHasAnotherLeaseTimeDoesNotPass() {
        LockOptions other =
                EngineRig.OPTIONS.toBuilder().leaseTime(Duration.ofSeconds(29)).build();
        held.release();
        assertThat(lock.with(other).acquireAsync().toCompletableFuture()).isNotDone();
        assertThat(lock.ownedBy("order-17").acquireAsync().toCompletableFuture())
                .isNotDone();
        arrive();
        assertThat(first).isCompleted();
    }

    @Test
    void whoComesTooLateForTheHoldGivesItBackAndAsksRedis() {
        held.release();
        rig.pass(EngineRig.LEASE.dividedBy(2).plusMillis(1));
        // Too little for anybody.
        assertThat(waiter()).isNotDone();
        assertThat(rig.redis.sent("release")).isEmpty();
        arrive();
        assertThat(first).isNotDone();
        assertThat(rig.redis.sent("release"))
                .singleElement()
                .satisfies(sent -> assertThat(sent.arg(0)).isEqualTo("acquisition-1"));
        assertThat(rig.redis.last("acquire").arg(0)).isNotEqualTo("acquisition-1");
    }

    @Test
    void whatRedisDeniesMeanwhileIsNotTaken() {
        CompletableFuture<Lease> second = waiter();
        arrive();
        rig.redis.silent("renew");
        rig.pass(Duration.ofSeconds(11));
        arrive();
        goesOn();
        held.release();
        arrive();
        // Open to the second, when the answer to the renewal of the one before the last comes.
        soon(first).release();
        rig.redis.last("renew").answer().complete(rig.redis.reply("gone", "free"));
        arrive();
        assertThat(second).isNotDone();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.lost).isEmpty();
    }

    @Test
    void theClientGivesBackWhatNobodyHasTaken() {
        held.release();
        engine.shutDown();
        arrive();
        assertThat(first).isCompletedExceptionally();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(engine.quiet()).isTrue();
    }

    @Test
    void whoIsCancelledGivesItBackAndTheNextLooks() {
        CompletableFuture<Lease> second = waiter();
        arrive();
        held.release();
        int before = rig.redis.sent("acquire").size();
        first.cancel(false);
        arrive();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.redis.sent("acquire")).hasSizeGreaterThan(before);
        assertThat(second).isNotDone();
    }
}
