package dev.leasehold.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ServerDescription.Capability;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Heartbeats of one client for its positions in the queues of several locks. */
class QueueHeartbeatsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final List<String> HEAD = List.of("head", "30000000");
    private static final List<String> STAYS = List.of("stays", "");
    private static final List<String> ASKS = List.of("asks", "");

    private final EngineRig rig = new EngineRig();
    private final Engine engine = new Engine(EngineRig.with(
            rig.parts(rig.redis, Runnable::run, Runnable::run, true, EngineRig.limits()),
            Set.of(Capability.AT_MOST_ONCE, Capability.CALLS_ACROSS_SLOTS)));

    @BeforeEach
    void allLocksAreHeld() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "0"));
        rig.redis.answers("look_many", call -> rig.redis.each(call, n -> HEAD));
    }

    private CompletableFuture<Lease> waiter(String name) {
        return engine.lock(LockKey.of(EngineRig.PREFIX, name), EngineRig.OPTIONS)
                .acquireAsync(MINUTE)
                .toCompletableFuture();
    }

    private List<CompletableFuture<Lease>> threeWaiters() {
        return List.of(waiter("a"), waiter("b"), waiter("c"));
    }

    private static String key(String name) {
        return LockKey.of(EngineRig.PREFIX, name).key();
    }

    private int polls(String name) {
        return (int) rig.redis.sent("acquire").stream()
                .filter(sent -> sent.call().keys().contains(key(name)))
                .count();
    }

    private int heartbeats() {
        return rig.redis.sent("look_many").size();
    }

    @Test
    void oneHeartbeatCallInThreeSecondsReplacesThePollsOfAllPositions() {
        List<CompletableFuture<Lease>> waiters = threeWaiters();
        int before = rig.redis.sent("acquire").size();
        rig.pass(Duration.ofSeconds(59));
        assertThat(heartbeats()).isEqualTo(19);
        assertThat(rig.redis.sent("acquire")).hasSize(before);
        assertThat(rig.redis.last("look_many").call().keys()).containsExactlyInAnyOrder(key("a"), key("b"), key("c"));
        assertThat(rig.redis.last("look_many").call().args()).contains("7 " + rig.redis.channels.get(0));
        // Each waiter polls once more before it gives up.
        rig.pass(Duration.ofSeconds(2));
        assertThat(rig.redis.sent("acquire")).hasSize(before + 3);
        assertThat(waiters).allMatch(CompletableFuture::isDone);
    }

    @Test
    void aSinglePositionPollsByItself() {
        waiter("a");
        waiter("a");
        rig.pass(Duration.ofSeconds(50));
        assertThat(heartbeats()).isZero();
        assertThat(polls("a")).isGreaterThan(10);
    }

    @Test
    void heartbeatsEndWithTheWaitersAndBeginAnew() {
        List<CompletableFuture<Lease>> waiters = threeWaiters();
        rig.pass(Duration.ofSeconds(4));
        waiters.forEach(waiter -> waiter.cancel(true));
        int before = heartbeats();
        rig.pass(Duration.ofSeconds(50));
        assertThat(heartbeats()).isEqualTo(before);
        threeWaiters();
        rig.pass(Duration.ofSeconds(4));
        assertThat(heartbeats()).isEqualTo(before + 1);
    }

    @Test
    void aWaiterThatIsToPollPollsImmediately() {
        threeWaiters();
        int before = polls("b");
        rig.redis.answers(
                "look_many",
                call -> rig.redis.each(call, n -> call.keys().get(n).equals(key("b")) ? ASKS : STAYS));
        rig.redis.answers(
                "acquire",
                call -> call.keys().contains(key("b"))
                        ? rig.redis.reply("granted", call.args().get(1), Long.toString(rig.time.serverMicros()))
                        : rig.redis.reply("busy", "30000000", "7", "0"));
        rig.pass(Duration.ofMillis(3001));
        assertThat(polls("b")).isEqualTo(before + 1);
        assertThat(EngineRig.records(engine)).anyMatch(LeaseRecord::holding);
    }

    @Test
    void theHeadPollsWhenTheHoldersLeaseEnds() {
        threeWaiters();
        int before = polls("a");
        rig.pass(Duration.ofMillis(3001));
        // The answer reports for the first time that the lease ends soon, after the next poll was postponed.
        rig.redis.answers("look_many", call -> rig.redis.each(call, n -> List.of("head", "2500000")));
        rig.pass(Duration.ofSeconds(3));
        assertThat(polls("a")).isEqualTo(before);
        rig.redis.silent("look_many");
        rig.pass(Duration.ofMillis(2600));
        assertThat(polls("a")).isEqualTo(before + 1);
    }

    @Test
    void withoutAnAnswerEachWaiterPollsByItself() {
        threeWaiters();
        int before = polls("a");
        rig.redis.silent("look_many");
        rig.pass(Duration.ofSeconds(26));
        assertThat(polls("a")).isGreaterThanOrEqualTo(before + 5);
        rig.redis.fails("look_many", new RedisErrorException("CROSSSLOT Keys in request don't hash to the same slot"));
        rig.pass(Duration.ofSeconds(4));
        int calls = heartbeats();
        rig.pass(Duration.ofSeconds(20));
        // No two of these keys share a slot.
        assertThat(heartbeats()).isEqualTo(calls);
    }

    @Test
    void theStandbyKeepsPolling() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "1"));
        threeWaiters();
        int before = polls("a");
        rig.pass(Duration.ofSeconds(10));
        assertThat(polls("a")).isGreaterThanOrEqualTo(before + 10);
        assertThat(heartbeats()).isZero();
    }

    @Test
    void aWaiterThatBecomesTheStandbyPollsByItself() {
        rig.redis.answers("look_many", call -> rig.redis.each(call, n -> List.of("next", "")));
        threeWaiters();
        int before = polls("a");
        rig.pass(Duration.ofSeconds(11));
        assertThat(polls("a")).isEqualTo(before + 2);
    }

    /** Its owner may acquire the lock reentrantly while others find it held. */
    @Test
    void aNamedOwnerKeepsPolling() {
        threeWaiters();
        LockKey own = LockKey.of(EngineRig.PREFIX, "own");
        engine.lock(own, EngineRig.OPTIONS).ownedBy("job").acquireAsync(MINUTE).toCompletableFuture();
        int before = polls("own");
        rig.pass(Duration.ofSeconds(26));
        assertThat(polls("own")).isGreaterThanOrEqualTo(before + 5);
        assertThat(rig.redis.last("look_many").call().keys()).doesNotContain(own.key());
    }

    @Test
    void manyPositionsGoInSeveralCalls() {
        for (int i = 0; i < 120; i++) {
            waiter("n" + i);
        }
        rig.pass(Duration.ofSeconds(4));
        assertThat(rig.redis.sent("look_many"))
                .extracting(sent -> sent.call().keys().size())
                .containsExactly(50, 50, 20);
    }
}
