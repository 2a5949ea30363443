package dev.leasehold.internal.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.event.LossCause;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.ScriptedTransport;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** How a lock goes from one lease of the client to the next: as it is within a run, and after a question at its end. */
class HandOffTest {

    private static final Duration RUN = Duration.ofMillis(20);
    private static final long LEASE_MICROS = 30_000_000;

    private final EngineRig rig = new EngineRig();
    private long nextToken = rig.time.serverMicros();

    /** The first who asks is granted a hold with so many tokens, and those after it wait. */
    private void freeOnce(int tokens) {
        int[] grants = {1};
        rig.redis.answers(
                "acquire", call -> grants[0]-- > 0 ? granted(tokens) : rig.redis.reply("busy", "30000000", "7", "0"));
    }

    private List<String> granted(int tokens) {
        long first = nextToken;
        nextToken += tokens;
        return tokens == 1
                ? rig.redis.reply("granted", Long.toString(LEASE_MICROS), Long.toString(first))
                : rig.redis.reply(
                        "granted", Long.toString(LEASE_MICROS), Long.toString(first), Long.toString(nextToken - 1));
    }

    private void goesOn(int tokens) {
        rig.redis.answers("go_on", call -> {
            long first = nextToken;
            nextToken += tokens;
            return rig.redis.reply(
                    "going", Long.toString(LEASE_MICROS), Long.toString(first), Long.toString(nextToken - 1));
        });
    }

    private CompletableFuture<Lease> waiter() {
        return rig.lock().acquireAsync().toCompletableFuture();
    }

    /** The first of them has the lock, with so many tokens; the others wait behind it. */
    private List<CompletableFuture<Lease>> run(int waiters, int tokens) {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "0"));
        List<CompletableFuture<Lease>> all = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            all.add(waiter());
        }
        freeOnce(tokens);
        rig.redis.listeners.get(0).resubscribed();
        assertThat(all.get(0)).isCompleted();
        rig.redis.sent.clear();
        return all;
    }

    private static void release(CompletableFuture<Lease> waiter) {
        assertThat(waiter).isCompleted();
        waiter.join().release();
    }

    @Test
    void withinARunNothingIsSent() {
        List<CompletableFuture<Lease>> run = run(4, 100);
        run.subList(0, 3).forEach(HandOffTest::release);
        assertThat(run.get(3)).isCompleted();
        assertThat(rig.redis.sent).isEmpty();
        List<Long> tokens = run.stream().map(each -> each.join().fencingToken()).toList();
        assertThat(tokens).containsExactly(tokens.get(0), tokens.get(0) + 1, tokens.get(0) + 2, tokens.get(0) + 3);
        release(run.get(3));
        assertThat(rig.redis.sent).singleElement().satisfies(sent -> {
            assertThat(sent.name()).isEqualTo("release");
            // Redis knows the first of them only.
            assertThat(sent.arg(0)).isEqualTo("acquisition-1");
        });
    }

    @Test
    void afterTheTimeOfTheRunRedisIsAskedOnceAndTheNextHasTheNewToken() {
        List<CompletableFuture<Lease>> run = run(4, 100);
        goesOn(50);
        release(run.get(0));
        rig.pass(RUN);
        long token = nextToken;
        release(run.get(1));
        release(run.get(2));
        assertThat(rig.redis.sent).extracting(ScriptedTransport.Sent::name).containsExactly("go_on");
        assertThat(run.get(2).join().fencingToken()).isEqualTo(token);
        assertThat(run.get(3).join().fencingToken()).isEqualTo(token + 1);
    }

    @Test
    void whenTheTokensAreSpentRedisIsAsked() {
        List<CompletableFuture<Lease>> run = run(4, 2);
        goesOn(50);
        release(run.get(0));
        assertThat(rig.redis.sent).isEmpty();
        release(run.get(1));
        assertThat(rig.redis.sent("go_on")).hasSize(1);
        assertThat(run.get(2)).isCompleted();
    }

    @Test
    void whatIsHandedOffHasTheTimeThatIsLeftOfTheHold() {
        List<CompletableFuture<Lease>> run = run(2, 100);
        Duration before = run.get(0).join().remaining();
        rig.pass(Duration.ofMillis(19));
        release(run.get(0));
        assertThat(run.get(1).join().remaining()).isEqualTo(before.minusMillis(19));
    }

    @Test
    void whatIsRenewedAtTheEndOfARunHasItsFullTime() {
        List<CompletableFuture<Lease>> run = run(2, 1);
        goesOn(50);
        Duration full = run.get(0).join().remaining();
        rig.pass(Duration.ofSeconds(5));
        release(run.get(0));
        assertThat(run.get(1).join().remaining()).isEqualTo(full);
    }

    @Test
    void whileOthersWaitTheLockIsReleasedAndTheNextLooks() {
        List<CompletableFuture<Lease>> run = run(3, 1);
        rig.redis.answers("go_on", call -> rig.redis.reply("wanted"));
        release(run.get(0));
        assertThat(rig.redis.sent)
                .extracting(ScriptedTransport.Sent::name)
                .containsExactly("go_on", "release", "acquire");
        assertThat(run.get(1)).isNotDone();
    }

    @Test
    void aQuestionWithoutAnAnswerIsFollowedByAReleaseAndHandsNothingOn() {
        List<CompletableFuture<Lease>> run = run(3, 1);
        rig.redis.silent("go_on");
        CompletableFuture<Void> released = run.get(0).join().releaseAsync().toCompletableFuture();
        assertThat(released).isNotDone();
        rig.pass(Duration.ofSeconds(3));
        // Late, it changes nothing any more.
        rig.redis
                .last("go_on")
                .answer()
                .complete(rig.redis.reply("going", "30000000", "9999999999999998", "9999999999999999"));
        assertThat(released).isCompleted();
        assertThat(rig.redis.sent("release")).isNotEmpty();
        assertThat(run.get(1)).isNotDone();
        assertThat(rig.lost).isEmpty();
    }

    @Test
    void aQuestionThatFailsIsFollowedByARelease() {
        List<CompletableFuture<Lease>> run = run(2, 1);
        rig.redis.fails("go_on", new TransportException("down", true, null));
        release(run.get(0));
        assertThat(rig.redis.sent("go_on")).hasSize(1);
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(run.get(1)).isNotDone();
    }

    @Test
    void aHoldThatIsGoneWhenAskedIsALossOfWhoReleasesItAndIsNotHandedOff() {
        List<CompletableFuture<Lease>> run = run(2, 1);
        rig.redis.answers("go_on", call -> rig.redis.reply("gone", "free"));
        rig.redis.answers("release", call -> rig.redis.reply("gone", "free"));
        run.get(0).join().releaseAsync();
        assertThat(rig.lost)
                .singleElement()
                .satisfies(loss -> assertThat(loss.cause()).isEqualTo(LossCause.DELETED));
        assertThat(run.get(1)).isNotDone();
        assertThat(rig.redis.sent("acquire")).isNotEmpty();
    }

    @Test
    void aLockThatIsHandedToAnAcquisitionWhoseClientClosesIsGivenBack() {
        Deque<Runnable> steps = new ArrayDeque<>();
        Engine engine = new Engine(rig.parts(rig.redis, Runnable::run, steps::add, true, EngineRig.limits()));
        DistributedLock lock = engine.lock(EngineRig.KEY, EngineRig.OPTIONS);
        rig.redis.answers("acquire", call -> granted(1));
        Lease held = lock.tryAcquire().orElseThrow();
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "0"));
        CompletableFuture<Lease> waiter = lock.acquireAsync().toCompletableFuture();
        runAll(steps);
        goesOn(50);
        held.release();
        // It has been handed the lock and does not know it yet.
        assertThat(rig.redis.sent("release")).isEmpty();
        engine.shutDown();
        runAll(steps);
        assertThat(failure(waiter)).hasMessageContaining("closed");
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(engine.quiet()).isTrue();
    }

    private static void runAll(Deque<Runnable> steps) {
        while (!steps.isEmpty()) {
            steps.pop().run();
        }
    }

    private static Throwable failure(CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        try {
            future.get();
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        throw new AssertionError();
    }

    @Test
    void whoIsCancelledStandsInNobodysWay() {
        List<CompletableFuture<Lease>> run = run(3, 100);
        run.get(1).cancel(false);
        release(run.get(0));
        assertThat(rig.redis.sent).isEmpty();
        assertThat(run.get(2)).isCompleted();
    }

    @Test
    void thePlaceInTheQueueIsGivenBackWhenTheLineBecomesEmpty() {
        List<CompletableFuture<Lease>> run = run(2, 1);
        LockOptions other =
                EngineRig.OPTIONS.toBuilder().leaseTime(Duration.ofSeconds(29)).build();
        CompletableFuture<Lease> stranger = rig.lock(other).acquireAsync().toCompletableFuture();
        goesOn(50);
        release(run.get(0));
        assertThat(run.get(1)).isCompleted();
        // The stranger is now the first, and not to be handed the lock: it has taken the place of the client.
        assertThat(rig.redis.last("acquire").arg(7)).isNotEmpty();
        assertThat(rig.redis.sent("leave")).isEmpty();
        stranger.cancel(false);
        assertThat(rig.redis.sent("leave"))
                .singleElement()
                .satisfies(sent -> assertThat(sent.arg(0)).isEqualTo("7"));
    }

    @Test
    void thePlaceIsGivenBackWhenTheLastOfTheLineIsHandedTheLock() {
        rig.redis.answers("acquire", call -> granted(1));
        Lease held = rig.held();
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "0"));
        CompletableFuture<Lease> waiter = waiter();
        goesOn(50);
        held.release();
        assertThat(waiter).isCompleted();
        assertThat(rig.redis.last("go_on").arg(3)).isEqualTo("7");
        assertThat(rig.redis.sent("leave"))
                .singleElement()
                .satisfies(sent -> assertThat(sent.arg(0)).isEqualTo("7"));
        assertThat(rig.redis.sent("release")).isEmpty();
    }

    @Test
    void aLeaseThatIsNotRenewedIsNeverHandedOffAsItIs() {
        LockOptions once = EngineRig.OPTIONS.toBuilder().renewal(Renewal.none()).build();
        rig.redis.answers("acquire", call -> granted(100));
        Lease held = rig.held(once);
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "0"));
        CompletableFuture<Lease> waiter = rig.lock(once).acquireAsync().toCompletableFuture();
        goesOn(50);
        rig.pass(Duration.ofMillis(1));
        held.release();
        assertThat(rig.redis.sent("go_on")).hasSize(1);
        assertThat(waiter).isCompleted();
    }

    @Test
    void aLeaseInDoubtIsNotHandedOff() {
        List<CompletableFuture<Lease>> run = run(2, 100);
        goesOn(50);
        rig.redis.fails("renew", new TransportException("down", true, null));
        rig.pass(Duration.ofSeconds(11));
        assertThat(rig.redis.sent("renew")).isNotEmpty();
        release(run.get(0));
        assertThat(rig.redis.sent("go_on")).isEmpty();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(run.get(1)).isNotDone();
    }
}
