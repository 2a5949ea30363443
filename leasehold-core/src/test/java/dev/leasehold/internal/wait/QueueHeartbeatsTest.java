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

/** One sign of life for the places of a client in the queues of several locks. */
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
    void allAreTaken() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "0"));
        rig.redis.answers("look_many", call -> rig.redis.each(call, n -> HEAD));
    }

    private CompletableFuture<Lease> waiter(String name) {
        return engine.lock(LockKey.of(EngineRig.PREFIX, name), EngineRig.OPTIONS)
                .acquireAsync(MINUTE)
                .toCompletableFuture();
    }

    private List<CompletableFuture<Lease>> threeWait() {
        return List.of(waiter("a"), waiter("b"), waiter("c"));
    }

    private static String key(String name) {
        return LockKey.of(EngineRig.PREFIX, name).key();
    }

    private int asked(String name) {
        return (int) rig.redis.sent("acquire").stream()
                .filter(sent -> sent.call().keys().contains(key(name)))
                .count();
    }

    private int called() {
        return rig.redis.sent("look_many").size();
    }

    @Test
    void oneCallInThreeSecondsSparesThePlacesTheirLooks() {
        List<CompletableFuture<Lease>> waiters = threeWait();
        int before = rig.redis.sent("acquire").size();
        rig.pass(Duration.ofSeconds(59));
        assertThat(called()).isEqualTo(19);
        assertThat(rig.redis.sent("acquire")).hasSize(before);
        assertThat(rig.redis.last("look_many").call().keys()).containsExactlyInAnyOrder(key("a"), key("b"), key("c"));
        assertThat(rig.redis.last("look_many").call().args()).contains("7 " + rig.redis.channels.get(0));
        // Each looks once more before it gives up.
        rig.pass(Duration.ofSeconds(2));
        assertThat(rig.redis.sent("acquire")).hasSize(before + 3);
        assertThat(waiters).allMatch(CompletableFuture::isDone);
    }

    @Test
    void aSinglePlaceLooksForItself() {
        waiter("a");
        waiter("a");
        rig.pass(Duration.ofSeconds(50));
        assertThat(called()).isZero();
        assertThat(asked("a")).isGreaterThan(10);
    }

    @Test
    void itEndsWithThoseWhoWaitAndBeginsAnew() {
        List<CompletableFuture<Lease>> waiters = threeWait();
        rig.pass(Duration.ofSeconds(4));
        waiters.forEach(waiter -> waiter.cancel(true));
        int before = called();
        rig.pass(Duration.ofSeconds(50));
        assertThat(called()).isEqualTo(before);
        threeWait();
        rig.pass(Duration.ofSeconds(4));
        assertThat(called()).isEqualTo(before + 1);
    }

    @Test
    void whoIsToAskDoesSoAtOnce() {
        threeWait();
        int before = asked("b");
        rig.redis.answers(
                "look_many",
                call -> rig.redis.each(call, n -> call.keys().get(n).equals(key("b")) ? ASKS : STAYS));
        rig.redis.answers(
                "acquire",
                call -> call.keys().contains(key("b"))
                        ? rig.redis.reply("granted", call.args().get(2), Long.toString(rig.time.serverMicros()))
                        : rig.redis.reply("busy", "30000000", "7", "0"));
        rig.pass(Duration.ofMillis(3001));
        assertThat(asked("b")).isEqualTo(before + 1);
        assertThat(EngineRig.records(engine)).anyMatch(LeaseRecord::holding);
    }

    @Test
    void theHeadLooksWhenTheLeaseOfTheHolderEnds() {
        threeWait();
        int before = asked("a");
        rig.pass(Duration.ofMillis(3001));
        // Told for the first time that the end is near, after the next own look was put off.
        rig.redis.answers("look_many", call -> rig.redis.each(call, n -> List.of("head", "2500000")));
        rig.pass(Duration.ofSeconds(3));
        assertThat(asked("a")).isEqualTo(before);
        rig.redis.silent("look_many");
        rig.pass(Duration.ofMillis(2600));
        assertThat(asked("a")).isEqualTo(before + 1);
    }

    @Test
    void withoutAnAnswerEachLooksForItself() {
        threeWait();
        int before = asked("a");
        rig.redis.silent("look_many");
        rig.pass(Duration.ofSeconds(26));
        assertThat(asked("a")).isGreaterThanOrEqualTo(before + 5);
        rig.redis.fails("look_many", new RedisErrorException("CROSSSLOT Keys in request don't hash to the same slot"));
        rig.pass(Duration.ofSeconds(4));
        int calls = called();
        rig.pass(Duration.ofSeconds(20));
        // No two of them have one slot.
        assertThat(called()).isEqualTo(calls);
    }

    @Test
    void theStandByIsNotSpared() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "1"));
        threeWait();
        int before = asked("a");
        rig.pass(Duration.ofSeconds(10));
        assertThat(asked("a")).isGreaterThanOrEqualTo(before + 10);
        assertThat(called()).isZero();
    }

    @Test
    void whoBecomesTheStandByLooksForItself() {
        rig.redis.answers("look_many", call -> rig.redis.each(call, n -> List.of("next", "")));
        threeWait();
        int before = asked("a");
        rig.pass(Duration.ofSeconds(11));
        assertThat(asked("a")).isEqualTo(before + 2);
    }

    /** Its owner may enter while others find the lock taken. */
    @Test
    void whoHasAnOwnerIsNotSpared() {
        threeWait();
        LockKey own = LockKey.of(EngineRig.PREFIX, "own");
        engine.lock(own, EngineRig.OPTIONS).ownedBy("job").acquireAsync(MINUTE).toCompletableFuture();
        int before = asked("own");
        rig.pass(Duration.ofSeconds(26));
        assertThat(asked("own")).isGreaterThanOrEqualTo(before + 5);
        assertThat(rig.redis.last("look_many").call().keys()).doesNotContain(own.key());
    }

    @Test
    void manyPlacesGoInSeveralCalls() {
        for (int i = 0; i < 120; i++) {
            waiter("n" + i);
        }
        rig.pass(Duration.ofSeconds(4));
        assertThat(rig.redis.sent("look_many"))
                .extracting(sent -> sent.call().keys().size())
                .containsExactly(50, 50, 20);
    }
}
