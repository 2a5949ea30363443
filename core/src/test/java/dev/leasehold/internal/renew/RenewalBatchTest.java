package dev.leasehold.internal.renew;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.RenewedEvent;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineParts;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.ScriptedTransport;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.lease.Validity;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription.Capability;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Renewals that share calls, in virtual time. Leases are 30 s, renewed after each 10 s. Finding 15. */
class RenewalBatchTest {

    private static final Duration DUE = Duration.ofSeconds(10);

    private final EngineRig rig = new EngineRig();
    private final Queue<Runnable> senderTasks = new ArrayDeque<>();
    private final Engine engine;
    private final List<Lease> leases = new ArrayList<>();

    RenewalBatchTest() {
        this.engine = engine(Set.of(Capability.AT_MOST_ONCE, Capability.CALLS_ACROSS_SLOTS));
    }

    private Engine engine(Set<Capability> capabilities) {
        EngineParts parts = rig.parts(rig.redis, senderTasks::add, Runnable::run, true, EngineRig.limits());
        return new Engine(EngineRig.with(parts, capabilities));
    }

    private static LockKey key(int n) {
        return LockKey.of(EngineRig.PREFIX, "l" + n);
    }

    private void hold(int count) {
        hold(engine, count);
    }

    private void hold(Engine by, int count) {
        for (int n = 0; n < count; n++) {
            leases.add(by.lock(key(n), EngineRig.OPTIONS).tryAcquire().orElseThrow());
        }
    }

    private void runSender() {
        for (Runnable task = senderTasks.poll(); task != null; task = senderTasks.poll()) {
            task.run();
        }
    }

    private void passAndRun(Duration time) {
        rig.pass(time);
        runSender();
    }

    /** Lets time pass in small steps, in each of which the batch sender runs. */
    private void live(Duration time) {
        for (int n = 0; n < time.toMillis() / 50; n++) {
            passAndRun(Duration.ofMillis(50));
        }
    }

    private List<ScriptCall> many() {
        return rig.redis.sent("renew_many").stream()
                .map(ScriptedTransport.Sent::call)
                .toList();
    }

    private void answer(IntFunction<List<String>> results) {
        rig.redis.answers("renew_many", call -> rig.redis.each(call, results));
    }

    private static List<String> renewed(String micros) {
        return List.of("renewed", micros);
    }

    @Test
    void leasesThatAreDueTogetherShareCallsOfAHundred() {
        hold(250);
        passAndRun(DUE);
        assertThat(many()).extracting(call -> call.keys().size()).containsExactly(100, 100, 50);
        assertThat(rig.redis.sent("renew")).isEmpty();
        assertThat(rig.redis.last("renew_many").batched()).isTrue();
        Set<String> keys = new HashSet<>();
        many().forEach(call -> keys.addAll(call.keys()));
        assertThat(keys).hasSize(250);
        passAndRun(Duration.ofSeconds(25).minus(DUE));
        live(Duration.ofSeconds(20));
        assertThat(leases).allMatch(Lease::isHeld);
        assertThat(rig.lost).isEmpty();
    }

    @Test
    void eachRenewalGetsItsOwnAnswerAndCountsFromTheSending() {
        hold(5);
        answer(n -> renewed(Integer.toString(20_000_000 + n * 1_000_000)));
        rig.pass(DUE);
        long sentAt = rig.time.nanoTime();
        runSender();
        for (int n = 0; n < 5; n++) {
            long left = (20 + n) * 1_000_000_000L;
            String name = "l" + n;
            LeaseRecord record = EngineRig.records(engine).stream()
                    .filter(one -> one.key().name().equals(name))
                    .findFirst()
                    .orElseThrow();
            assertThat(record.validUntil(0)).as(name).isEqualTo(sentAt + left - Validity.drift(left));
        }
    }

    @Test
    void oneAnswerForAllAppliesToEach() {
        hold(5);
        rig.pass(DUE);
        long sentAt = rig.time.nanoTime();
        runSender();
        assertThat(EngineRig.records(engine))
                .hasSize(5)
                .allSatisfy(record -> assertThat(record.end()).isEqualTo(sentAt + EngineRig.LEASE.toNanos()));
        assertThat(rig.renewed).hasSize(5);
    }

    @Test
    void aConfirmationIsSentAloneAndRenewalsOfOneLeaseTimeShareACall() {
        LockOptions once = EngineRig.OPTIONS.toBuilder().renewal(Renewal.none()).build();
        LockOptions longer =
                EngineRig.OPTIONS.toBuilder().leaseTime(Duration.ofSeconds(60)).build();
        hold(3);
        for (int n = 10; n < 13; n++) {
            leases.add(engine.lock(key(n), once).tryAcquire().orElseThrow());
            leases.add(engine.lock(key(n + 10), longer).tryAcquire().orElseThrow());
        }
        rig.time.stepWall(Duration.ofMinutes(2));
        passAndRun(Duration.ofSeconds(1));
        assertThat(many()).extracting(call -> call.args().get(0)).containsExactlyInAnyOrder("30000000", "60000000");
        assertThat(many()).allSatisfy(call -> assertThat(call.keys()).hasSize(3));
        assertThat(rig.redis.sent("renew"))
                .hasSize(3)
                .allSatisfy(sent -> assertThat(sent.arg(1)).isEqualTo("0"));
    }

    @Test
    void theAnswerForOneAffectsNoOther() {
        record Case(List<String> result, LossCause cause) {}
        List<Case> cases = List.of(
                new Case(List.of("gone", "taken"), LossCause.TAKEN_OVER),
                new Case(List.of("gone", "free"), LossCause.DELETED),
                new Case(List.of("ended", ""), LossCause.ENDED),
                new Case(List.of("foreign", "string"), LossCause.DELETED));
        hold(20);
        answer(n -> n % 5 == 2 ? cases.get(n / 5).result : renewed("30000000"));
        passAndRun(DUE);
        assertThat(rig.lost).extracting(LossEvent::lockName).containsExactly("l2", "l7", "l12", "l17");
        assertThat(rig.lost)
                .extracting(LossEvent::cause)
                .containsExactlyElementsOf(cases.stream().map(Case::cause).toList());
        assertThat(leases.stream().filter(Lease::isHeld)).hasSize(16);
        assertThat(EngineRig.records(engine)).allMatch(record -> record.state() == LeaseState.HELD);
    }

    @Test
    void anErrorOrAnUnreadableAnswerForOneIsRetriedForThatOne() {
        hold(3);
        List<List<String>> results =
                List.of(List.of("failed", "OOM full"), List.of("what?", ""), List.of("renewed", "soon"));
        for (List<String> result : results) {
            int[] left = {1};
            rig.redis.answers(
                    "renew_many",
                    call -> rig.redis.each(call, n -> {
                        boolean bad = call.keys().get(n).equals(key(1).key()) && left[0]-- > 0;
                        return bad ? result : renewed("30000000");
                    }));
            int before = rig.renewed.size();
            live(DUE.plusSeconds(1));
            assertThat(rig.renewed.subList(before, rig.renewed.size()))
                    .extracting(RenewedEvent::lockName)
                    .as(result.toString())
                    .contains("l0", "l1", "l2");
        }
        assertThat(leases).allMatch(Lease::isHeld);
    }

    @Test
    void anAnswerOfTheWrongLengthAppliesToNone() {
        hold(3);
        rig.redis.answers("renew_many", call -> rig.redis.reply("each", "gone", "free", "gone", "free"));
        live(DUE.plusSeconds(5));
        assertThat(rig.lost).isEmpty();
        answer(n -> renewed("30000000"));
        live(Duration.ofSeconds(30));
        assertThat(leases).allMatch(Lease::isHeld);
    }

    @Test
    void aRefusedCallIsSentOneByOneAtOnce() {
        // One key without rights (NOPERM), or a slot that is half moved (TRYAGAIN), refuses the call as a whole.
        hold(10);
        rig.redis.fails("renew_many", new RedisErrorException("NOPERM No permissions to access a key"));
        rig.redis.judges("renew", call -> {
            if (call.keys().contains(key(4).key())) {
                throw new RedisErrorException("NOPERM No permissions to access a key");
            }
            return rig.redis.reply("renewed", "30000000");
        });
        passAndRun(DUE);
        assertThat(rig.redis.sent("renew")).hasSize(10);
        for (LeaseRecord record : EngineRig.records(engine)) {
            boolean refused = record.key().equals(key(4));
            assertThat(record.state()).isEqualTo(refused ? LeaseState.UNCONFIRMED : LeaseState.HELD);
        }
        live(Duration.ofSeconds(20));
        assertThat(rig.lost).extracting(LossEvent::lockName).containsExactly("l4");
    }

    @Test
    void anErrorOfTheWholeServerIsNotRetriedOneByOne() {
        hold(10);
        rig.redis.fails("renew_many", new RedisErrorException("LOADING Redis is loading the dataset in memory"));
        passAndRun(DUE);
        assertThat(rig.redis.sent("renew")).isEmpty();
        assertThat(EngineRig.records(engine)).allMatch(record -> record.state() == LeaseState.UNCONFIRMED);
        answer(n -> renewed("30000000"));
        live(Duration.ofSeconds(20));
        assertThat(leases).allMatch(Lease::isHeld);
    }

    @Test
    void aCallWithoutAnswerIsTriedAgainForEachAndItsLateAnswerCounts() {
        LockOptions shorter =
                EngineRig.OPTIONS.toBuilder().leaseTime(Duration.ofSeconds(2)).build();
        for (int n = 0; n < 10; n++) {
            leases.add(engine.lock(key(n), shorter).tryAcquire().orElseThrow());
        }
        rig.redis.silent("renew_many");
        rig.redis.silent("renew");
        live(Duration.ofMillis(1050));
        assertThat(EngineRig.records(engine)).allMatch(record -> record.state() == LeaseState.UNCONFIRMED);
        live(Duration.ofMillis(500));
        ScriptedTransport.Sent first = rig.redis.sent("renew_many").get(0);
        assertThat(first.answer().complete(rig.redis.each(first.call(), n -> renewed("2000000"))))
                .isTrue();
        runSender();
        assertThat(EngineRig.records(engine)).allMatch(record -> record.state() == LeaseState.HELD);
        rig.redis.answers("renew_many", call -> rig.redis.each(call, n -> renewed("2000000")));
        rig.redis.answers("renew", call -> rig.redis.reply("renewed", "2000000"));
        live(Duration.ofSeconds(5));
        assertThat(leases).allMatch(Lease::isHeld);
    }

    @Test
    void aLeaseReleasedMeanwhileIsLeftOut() {
        hold(5);
        rig.pass(DUE);
        leases.get(3).release();
        runSender();
        assertThat(many())
                .singleElement()
                .satisfies(call -> assertThat(call.keys()).hasSize(4).doesNotContain(key(3).key()));
    }

    @Test
    void inAClusterACallHasKeysOfOneSlotOnly() {
        hold(engine(Set.of(Capability.AT_MOST_ONCE)), 900);
        passAndRun(DUE);
        assertThat(many())
                .isNotEmpty()
                .allSatisfy(call -> assertThat(slots(call)).hasSize(1));
        long alone = rig.redis.sent("renew").size();
        assertThat(many().stream().mapToLong(call -> call.keys().size()).sum() + alone)
                .isEqualTo(900);
    }

    private static Set<Integer> slots(ScriptCall call) {
        Set<Integer> slots = new HashSet<>();
        call.keys()
                .forEach(key -> slots.add(LockKey.parse(EngineRig.PREFIX, key).slot()));
        return slots;
    }

    @Test
    void aHiddenClusterIsTreatedAsAClusterAfterTheFirstRefusal() {
        hold(100);
        rig.redis.judges("renew_many", call -> {
            if (slots(call).size() > 1) {
                throw new RedisErrorException("CROSSSLOT Keys in request don't hash to the same slot");
            }
            return rig.redis.each(call, n -> renewed("30000000"));
        });
        passAndRun(DUE);
        assertThat(rig.redis.sent("renew")).hasSize(100);
        assertThat(many()).hasSize(1);
        live(Duration.ofSeconds(30));
        assertThat(many().subList(1, many().size()))
                .allSatisfy(call -> assertThat(slots(call)).hasSize(1));
        assertThat(leases).allMatch(Lease::isHeld);
    }

    /** The sum of a named owner's holds is kept, too, so that a call with many of them would take long. */
    @Test
    void fewerLeasesOfNamedOwnersShareACall() {
        for (int n = 0; n < 60; n++) {
            leases.add(engine.lock(key(n), EngineRig.OPTIONS)
                    .ownedBy("job")
                    .tryAcquire()
                    .orElseThrow());
        }
        passAndRun(DUE);
        assertThat(many()).extracting(call -> call.keys().size()).containsExactly(25, 25, 10);
    }
}
