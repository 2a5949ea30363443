package dev.leasehold.internal.acquire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.ForeignKeyException;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.MultiLease;
import dev.leasehold.MultiLock;
import dev.leasehold.RedisOutOfMemoryException;
import dev.leasehold.event.FailedEvent;
import dev.leasehold.event.FailureReason;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineParts;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.ScriptedTransport;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Several locks tried in one call, on a single server: what each is told, and what follows when not all were granted. */
class CombinedAttemptTest {

    private static final TransportException LOST = new TransportException("the reply was lost", true, null);

    private final EngineRig rig = new EngineRig();
    private final Engine engine = engine(true, true);

    /** The keys that others hold. */
    private final Set<String> busy = new java.util.HashSet<>();

    CombinedAttemptTest() {
        rig.redis.answers("acquire_many", this::many);
        rig.redis.answers(
                "acquire",
                call -> busy.contains(call.keys().get(0))
                        ? rig.redis.reply("busy", "30000000", "7", "0")
                        : rig.redis.reply("granted", call.args().get(1), "5"));
    }

    private Engine engine(boolean atMostOnce, boolean acrossSlots) {
        EngineParts parts = rig.parts(rig.redis, Runnable::run, Runnable::run, true, EngineRig.limits());
        Set<Capability> capabilities = java.util.EnumSet.of(Capability.COUNTS_RECEIVERS);
        if (atMostOnce) {
            capabilities.add(Capability.AT_MOST_ONCE);
        }
        if (acrossSlots) {
            capabilities.add(Capability.CALLS_ACROSS_SLOTS);
        }
        return new Engine(EngineRig.with(parts, capabilities));
    }

    /** As the script does it. */
    private List<String> many(ScriptCall call) {
        boolean whole = call.args().get(0).equals("1");
        boolean refused = call.keys().stream().anyMatch(busy::contains);
        boolean[] stopped = {false};
        return rig.redis.each(call, n -> {
            if (stopped[0]) {
                return List.of("untried", "");
            }
            if (busy.contains(call.keys().get(n))) {
                stopped[0] = true;
                return List.of("busy", "30000000");
            }
            return whole && refused ? List.of("untried", "") : List.of("granted", "30000000 " + (n + 5));
        });
    }

    private MultiLock locks(String... names) {
        return locks(engine, names);
    }

    private static MultiLock locks(Engine by, String... names) {
        return by.multiLock(
                Stream.of(names).map(name -> LockKey.of(EngineRig.PREFIX, name)).toList(), EngineRig.OPTIONS);
    }

    /** Slots: "b" 3300, "c" 7365, "a" 15495. */
    private MultiLock locks() {
        return locks("a", "b", "c");
    }

    private static String key(String name) {
        return "leasehold:{" + name + "}";
    }

    private List<String> sent(String script) {
        return rig.redis.sent(script).stream()
                .flatMap(sent -> sent.call().keys().stream())
                .map(key -> LockKey.parse(EngineRig.PREFIX, key).name())
                .toList();
    }

    private void wake(String name) {
        rig.redis.listeners.forEach(listener -> listener.message("7 " + key(name)));
    }

    private void nothingIsLeft() {
        assertThat(EngineRig.records(engine)).isEmpty();
        assertThat(engine.quiet()).isTrue();
    }

    @Test
    void locksThatAreFreeAreTakenByOneCall() throws Exception {
        MultiLease lease = locks().acquire();
        assertThat(rig.redis.sent("acquire")).isEmpty();
        assertThat(rig.redis.sent("acquire_many")).hasSize(1);
        assertThat(sent("acquire_many")).containsExactly("b", "c", "a");
        assertThat(lease.fencingToken("b")).isEqualTo(5);
        assertThat(lease.fencingToken("a")).isEqualTo(7);
        lease.ensureHeld();
        lease.release();
        nothingIsLeft();
    }

    private FailedEvent failureOf(CompletionStage<MultiLease> call) {
        CompletableFuture<MultiLease> failing = call.toCompletableFuture();
        rig.pass(Duration.ofMinutes(1));
        assertThat(failing).isCompletedExceptionally();
        assertThat(rig.failed).hasSize(1);
        FailedEvent event = rig.failed.remove(0);
        assertThat(failing.handle((lease, failure) -> failure).join()).isSameAs(event.failure());
        nothingIsLeft();
        return event;
    }

    @Test
    void aCallThatFailsIsOneEventHoweverManyLocksItIsFor() {
        for (String script : List.of("acquire", "acquire_many")) {
            rig.redis.fails(script, new RedisErrorException("OOM no"));
        }
        assertThat(failureOf(locks().acquireAsync()).reason()).isEqualTo(FailureReason.OUT_OF_MEMORY);
        assertThat(failureOf(locks().acquireAsync(Duration.ofSeconds(5))).reason())
                .isEqualTo(FailureReason.OUT_OF_MEMORY);
        assertThat(failureOf(locks().acquireAsync(Duration.ZERO)).reason()).isEqualTo(FailureReason.OUT_OF_MEMORY);
        for (String script : List.of("acquire", "acquire_many")) {
            rig.redis.fails(script, new TransportException("not connected", false, null));
        }
        assertThat(failureOf(locks().acquireAsync(Duration.ofSeconds(5))).reason())
                .isEqualTo(FailureReason.NO_ANSWER);
    }

    /** A failed try of all locks is not the end of a call that goes on. */
    @Test
    void aCallThatAcquiresInTheEndIsNoFailure() {
        rig.redis.fails("acquire_many", new RedisErrorException("OOM no"));
        locks().acquireAsync().toCompletableFuture().join().release();
        assertThat(rig.failed).isEmpty();
        nothingIsLeft();
    }

    @Test
    void oneLockIsTakenAsItWouldBeAlone() throws Exception {
        locks("a").acquire().release();
        assertThat(rig.redis.sent("acquire_many")).isEmpty();
        assertThat(sent("acquire")).containsExactly("a");
    }

    @Test
    void whoWaitsKeepsWhatIsBeforeTheBusyOneAndThenTriesTheRest() {
        busy.add(key("c"));
        CompletableFuture<MultiLease> waiter =
                locks("a", "b", "c", "d").acquireAsync().toCompletableFuture();
        assertThat(rig.redis.sent("acquire_many")).hasSize(1);
        assertThat(Set.copyOf(sent("acquire"))).containsExactly("c");
        assertThat(sent("release")).isEmpty();
        busy.clear();
        wake("c");
        assertThat(waiter).isCompleted();
        // "d" 11298
        assertThat(rig.redis.last("acquire_many").call().keys()).containsExactly(key("d"), key("a"));
        assertThat(rig.redis.sent("acquire_many")).hasSize(2);
        waiter.join().release();
        nothingIsLeft();
    }

    @Test
    void oneTryThatFindsOneBusyTakesNothingAndGivesNothingBack() {
        busy.add(key("a"));
        assertThat(locks().tryAcquire()).isEmpty();
        assertThat(rig.redis.sent("acquire_many"))
                .singleElement()
                .satisfies(sent -> assertThat(sent.arg(0)).isEqualTo("1"));
        assertThat(rig.redis.sent("acquire")).isEmpty();
        assertThat(rig.redis.sent("release")).isEmpty();
        nothingIsLeft();
    }

    @Test
    void aCallWithoutAnAnswerIsRepeatedWithTheSameIds() throws Exception {
        rig.redis.fails("acquire_many", LOST);
        CompletableFuture<MultiLease> waiter = locks().acquireAsync().toCompletableFuture();
        rig.redis.answers("acquire_many", this::many);
        rig.pass(Duration.ofSeconds(1));
        assertThat(waiter).isCompleted();
        List<ScriptCall> calls = rig.redis.sent("acquire_many").stream()
                .map(ScriptedTransport.Sent::call)
                .toList();
        assertThat(calls).hasSizeGreaterThan(1);
        ScriptCall last = calls.get(calls.size() - 1);
        int count = Integer.parseInt(last.args().get(1));
        for (int n = 0; n < 3; n++) {
            assertThat(last.args().get(2 + n * count))
                    .isEqualTo(calls.get(0).args().get(2 + n * count));
        }
        // A copy may still come: the releases leave their mark.
        waiter.join().release();
        assertThat(rig.redis.sent("release")).hasSize(3);
        nothingIsLeft();
    }

    @Test
    void whatMayHaveBeenTakenWithoutAnAnswerIsGivenBack() {
        rig.redis.fails("acquire_many", LOST);
        assertThatThrownBy(() -> locks().tryAcquire())
                .isInstanceOf(LockUnavailableException.class)
                .satisfies(e ->
                        assertThat(((LockUnavailableException) e).mayBeTaken()).isTrue());
        rig.pass(Duration.ofMinutes(1));
        assertThat(Set.copyOf(sent("release"))).containsExactlyInAnyOrder("a", "b", "c");
        nothingIsLeft();
    }

    @Test
    void noAnswerUntilTheTimeIsOverIsNotTakenForBusy() {
        rig.redis.fails("acquire_many", LOST);
        for (int millis : new int[] {100, 1000, 2000}) {
            assertThatThrownBy(() -> locks().acquire(Duration.ofMillis(millis)))
                    .isInstanceOf(LockUnavailableException.class)
                    .satisfies(e -> assertThat(((LockUnavailableException) e).mayBeTaken())
                            .isTrue());
        }
    }

    @Test
    void whoGetsNoAnswerForACommandTimeOutGoesOnAskingForOneAfterAnother() {
        rig.redis.fails("acquire_many", LOST);
        rig.redis.fails("acquire", LOST);
        CompletableFuture<MultiLease> waiter =
                locks().acquireAsync(Duration.ofSeconds(6)).toCompletableFuture();
        rig.pass(Duration.ofSeconds(4));
        assertThat(waiter).isNotDone();
        assertThat(Set.copyOf(sent("acquire"))).containsExactly("b");
        rig.pass(Duration.ofSeconds(3));
        assertThat(waiter).isCompletedExceptionally();
        rig.pass(Duration.ofMinutes(1));
        nothingIsLeft();
    }

    @Test
    void aCallThatIsRefusedAsAWholeIsFollowedByOneForEach() throws Exception {
        rig.redis.fails(
                "acquire_many", new RedisErrorException("TRYAGAIN Multiple keys request during rehashing of slot"));
        locks().tryAcquire().orElseThrow().release();
        assertThat(sent("acquire")).containsExactly("b", "c", "a");
        assertThat(rig.redis.sent("acquire_many")).hasSize(1);
        nothingIsLeft();
    }

    @Test
    void afterCrossslotACallHasKeysOfOneSlotOnly() throws Exception {
        rig.redis.fails(
                "acquire_many", new RedisErrorException("CROSSSLOT Keys in request don't hash to the same slot"));
        locks().acquire().release();
        locks().acquire().release();
        assertThat(sent("acquire")).containsExactly("b", "c", "a", "b", "c", "a");
        assertThat(rig.redis.sent("acquire_many")).hasSize(1);
    }

    @Test
    void aRefusalOfMemoryIsThatOfTheLock() {
        RedisErrorException full = new RedisErrorException("OOM command not allowed when used memory > 'maxmemory'.");
        rig.redis.fails("acquire_many", full);
        rig.redis.fails("acquire", full);
        assertThatThrownBy(() -> locks().tryAcquire()).isInstanceOf(RedisOutOfMemoryException.class);
        nothingIsLeft();
    }

    @Test
    void whatFailsAfterOthersWereGrantedIsToldAndTheyAreGivenBack() {
        rig.redis.answers(
                "acquire_many",
                call -> rig.redis.each(call, n -> switch (n) {
                    case 0 -> List.of("granted", "30000000 5");
                    case 1 -> List.of("foreign", "layout 2");
                    default -> List.of("untried", "");
                }));
        rig.redis.answers("acquire", call -> rig.redis.reply("foreign", "layout 2"));
        assertThatThrownBy(() -> locks().tryAcquire())
                .isInstanceOf(ForeignKeyException.class)
                .hasMessageContainingAll("'c'", "layout 2");
        assertThat(sent("release")).containsExactly("b");
        assertThatThrownBy(() -> locks().acquire()).isInstanceOf(ForeignKeyException.class);
        assertThat(sent("release")).containsExactly("b", "b");
        nothingIsLeft();
    }

    @Test
    void aGrantBehindOneThatWasNotGrantedIsGivenBack() {
        rig.redis.answers(
                "acquire_many",
                call -> rig.redis.each(call, n -> switch (n) {
                    case 1 -> List.of("busy", "30000000");
                    default -> List.of("granted", "30000000 5");
                }));
        busy.add(key("c"));
        CompletableFuture<MultiLease> waiter = locks().acquireAsync().toCompletableFuture();
        assertThat(waiter).isNotDone();
        assertThat(sent("release")).containsExactly("a");
    }

    @Test
    void whereCallsMayBeSentTwiceWhatWasNotGrantedIsUndoneAsWell() {
        Engine replaying = engine(false, true);
        busy.add(key("c"));
        assertThat(locks(replaying, "a", "b", "c").tryAcquire()).isEmpty();
        rig.pass(Duration.ofMinutes(1));
        assertThat(Set.copyOf(sent("release"))).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(replaying.quiet()).isTrue();
    }

    @Test
    void inAClusterACallHasKeysOfOneSlot() throws Exception {
        Engine cluster = engine(true, false);
        List<String> twins = new ArrayList<>();
        int slot = LockKey.of(EngineRig.PREFIX, "a").slot();
        for (int n = 0; twins.size() < 2; n++) {
            if (LockKey.of(EngineRig.PREFIX, "t" + n).slot() == slot) {
                twins.add("t" + n);
            }
        }
        locks(cluster, "b", "a", twins.get(0), twins.get(1)).acquire();
        assertThat(sent("acquire")).containsExactly("b");
        Collections.sort(twins);
        assertThat(sent("acquire_many")).containsExactly("a", twins.get(0), twins.get(1));
    }

    @Test
    void aCallHasAHundredLocksAtMost() throws Exception {
        String[] names = IntStream.range(0, 250).mapToObj(n -> "l" + n).toArray(String[]::new);
        MultiLease lease = locks(names).acquire();
        assertThat(rig.redis.sent("acquire_many"))
                .extracting(sent -> sent.call().keys().size())
                .containsExactly(100, 100, 50);
        lease.release();
        nothingIsLeft();
    }

    @Test
    void whoCancelsOnTheWayLeavesNothingBehind() {
        rig.redis.silent("acquire_many");
        CompletableFuture<MultiLease> waiter = locks().acquireAsync().toCompletableFuture();
        waiter.cancel(false);
        assertThat(Set.copyOf(sent("release"))).containsExactlyInAnyOrder("a", "b", "c");
        rig.pass(Duration.ofMinutes(1));
        nothingIsLeft();
    }

    @Test
    void anAnswerThatCannotBeUnderstoodIsNone() {
        rig.redis.answers("acquire_many", call -> rig.redis.reply("each", "granted", "30000000 5"));
        LockOptions options = EngineRig.OPTIONS;
        assertThatThrownBy(() -> locks().with(options).tryAcquire()).isInstanceOf(LockUnavailableException.class);
        rig.pass(Duration.ofMinutes(1));
        assertThat(Set.copyOf(sent("release"))).containsExactlyInAnyOrder("a", "b", "c");
        nothingIsLeft();
    }
}
