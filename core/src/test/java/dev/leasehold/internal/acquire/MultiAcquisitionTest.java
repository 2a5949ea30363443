package dev.leasehold.internal.acquire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.LeaseLostException;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.MultiLease;
import dev.leasehold.MultiLock;
import dev.leasehold.Renewal;
import dev.leasehold.event.FailureReason;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.ScriptedTransport;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lock.MultiLockView;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Several locks taken one after another, in a cluster: what is held, given back and told when only some are there. */
class MultiAcquisitionTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration COMMAND = Duration.ofSeconds(2);
    private static final TransportException LOST = new TransportException("the reply was lost", true, null);

    private final EngineRig rig = new EngineRig();
    private final List<MultiLease> inHand = new ArrayList<>();

    /** The keys that others hold: who asks for them has the place 7 in their queue. */
    private final Set<String> busy = new HashSet<>();

    /** The keys of which Redis has lost the hold. */
    private final Set<String> gone = new HashSet<>();

    MultiAcquisitionTest() {
        rig.redis.answers(
                "acquire",
                call -> busy.contains(call.keys().get(0))
                        ? rig.redis.reply("busy", "30000000", "7", "0")
                        : rig.redis.reply("granted", call.args().get(1), Long.toString(rig.time.serverMicros())));
        rig.redis.answers("renew", call -> renewed(call));
        rig.redis.answers(
                "renew_many",
                call -> rig.redis.each(call, n -> {
                    List<String> one = gone.contains(call.keys().get(n))
                            ? List.of("gone", "free")
                            : List.of("renewed", "30000000");
                    return one;
                }));
    }

    private List<String> renewed(ScriptCall call) {
        return gone.contains(call.keys().get(0))
                ? rig.redis.reply("gone", "free")
                : rig.redis.reply("renewed", call.args().get(1));
    }

    private MultiLock locks(String... names) {
        return rig.engine.multiLock(
                Stream.of(names).map(name -> LockKey.of(EngineRig.PREFIX, name)).toList(), EngineRig.OPTIONS);
    }

    /** Slots: "b" 3300, "c" 7365, "a" 15495. */
    private MultiLock locks() {
        return locks("a", "b", "c");
    }

    private CompletableFuture<MultiLease> waiter() {
        return locks().acquireAsync().toCompletableFuture();
    }

    private MultiLease held(LockOptions options) {
        MultiLease lease = locks().with(options).tryAcquire().orElseThrow();
        inHand.add(lease);
        return lease;
    }

    private static String key(String name) {
        return "leasehold:{" + name + "}";
    }

    /** The names for which this script was sent, in this order. */
    private List<String> sent(String script) {
        return rig.redis.sent(script).stream()
                .flatMap(sent -> sent.call().keys().stream())
                .map(key -> LockKey.parse(EngineRig.PREFIX, key).name())
                .toList();
    }

    private void wake(String name) {
        rig.redis.listeners.forEach(listener -> listener.message("7 " + key(name)));
    }

    private static Throwable failureOf(CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        return future.handle((value, failure) -> failure).join();
    }

    private void nothingIsLeft() {
        assertThat(rig.records()).isEmpty();
        assertThat(rig.engine.quiet()).isTrue();
    }

    @Test
    void locksAreTakenInTheOrderOfTheirSlotsWhateverTheOrderOfTheNames() throws Exception {
        MultiLease lease = locks("a", "b", "c").acquire();
        lease.release();
        locks("c", "a", "b").acquire().release();
        assertThat(sent("acquire")).containsExactly("b", "c", "a", "b", "c", "a");
        assertThat(lease.names()).containsExactly("a", "b", "c");
        assertThat(lease.name()).isEqualTo("a, b, c");
        nothingIsLeft();
    }

    @Test
    void releasesAndExtensionsLeaveInOneFlushWhereSendingBlocks() {
        MultiLease lease = held(EngineRig.OPTIONS);
        assertThat(lease.extend(MINUTE)).isTrue();
        lease.release();
        assertThat(rig.redis.sent("renew")).hasSize(3).allMatch(ScriptedTransport.Sent::batched);
        assertThat(rig.redis.sent("release")).hasSize(3).allMatch(ScriptedTransport.Sent::batched);
        nothingIsLeft();
    }

    @Test
    void releasesWithoutAnAnswerEndTogetherAlsoWhereEachBlocksItsSender() {
        MultiLease lease = held(EngineRig.OPTIONS);
        rig.redis.fails("release", LOST);
        rig.redis.blocks("release", COMMAND);
        long before = rig.time.nanoTime();
        lease.releaseAsync();
        assertThat(rig.time.nanoTime() - before).isEqualTo(COMMAND.toNanos());
    }

    @Test
    void whatIsThereIsHeldAndRenewedWhileAnotherIsWaitedFor() {
        busy.add(key("c"));
        CompletableFuture<MultiLease> waiter = waiter();
        rig.pass(MINUTE);
        assertThat(waiter).isNotDone();
        assertThat(new HashSet<>(sent("renew"))).containsExactly("b");
        assertThat(new HashSet<>(sent("acquire"))).containsExactlyInAnyOrder("b", "c");
        busy.clear();
        wake("c");
        assertThat(waiter).isCompleted();
        waiter.join().ensureHeld();
        assertThat(rig.redis.sent("release")).isEmpty();
        assertThat(rig.redis.sent("leave")).isEmpty();
    }

    @Test
    void oneLimitOfTimeIsOverAllAndWhatWasTakenIsGivenBack() {
        busy.add(key("b"));
        CompletableFuture<MultiLease> waiter =
                locks().acquireAsync(Duration.ofSeconds(5)).toCompletableFuture();
        rig.pass(Duration.ofSeconds(3));
        busy.clear();
        busy.add(key("c"));
        wake("b");
        rig.pass(Duration.ofMillis(1990));
        assertThat(waiter).isNotDone();
        rig.pass(Duration.ofMillis(20));
        assertThat(failureOf(waiter))
                .isInstanceOf(LockNotAcquiredException.class)
                .hasMessageContainingAll("'a', 'b', 'c'", "lock 'c' stayed held", "5000 ms")
                .extracting(e -> ((LockNotAcquiredException) e).lockName())
                .isEqualTo("c");
        assertThat(sent("release")).containsExactly("b");
        assertThat(sent("leave")).containsExactly("c");
        nothingIsLeft();
    }

    @Test
    void whoIsOutOfTimeIsNotToldThatALockIsBusyOfWhichNobodyKnows() {
        rig.redis.answers("acquire", call -> {
            rig.pass(Duration.ofSeconds(1));
            return rig.redis.reply("granted", call.args().get(1), "5");
        });
        assertThatThrownBy(() -> locks().acquire(Duration.ofMillis(1500)))
                .isInstanceOf(LockNotAcquiredException.class)
                .hasMessageContaining("the time was over before lock 'a' could be requested")
                .hasMessageNotContaining("by others");
        assertThat(rig.failed).isEmpty();
        assertThatThrownBy(() -> locks().tryAcquire())
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("before lock 'a' was requested");
        assertThat(rig.failed).singleElement().satisfies(event -> {
            assertThat(event.lockName()).isEqualTo("a");
            assertThat(event.reason()).isEqualTo(FailureReason.NO_ANSWER);
        });
        assertThat(sent("release")).containsExactlyInAnyOrder("b", "c", "b", "c");
        nothingIsLeft();
    }

    @Test
    void oneTryThatFindsOneBusyGivesBackWhatItTook() {
        busy.add(key("a"));
        assertThat(locks().tryAcquire()).isEmpty();
        assertThat(sent("acquire")).containsExactly("b", "c", "a");
        assertThat(sent("release")).containsExactlyInAnyOrder("b", "c");
        nothingIsLeft();
    }

    @Test
    void whoCancelsGivesBackWhatItTookAndItsPlace() {
        busy.add(key("a"));
        CompletableFuture<MultiLease> waiter = waiter();
        waiter.cancel(false);
        assertThat(sent("release")).containsExactlyInAnyOrder("b", "c");
        assertThat(sent("leave")).containsExactly("a");
        nothingIsLeft();
    }

    @Test
    void aRequestWithoutAnAnswerIsUndoneWithAllTheOthers() {
        rig.redis.judges("acquire", call -> {
            if (call.keys().get(0).equals(key("c"))) {
                throw LOST;
            }
            return rig.redis.reply("granted", call.args().get(1), "5");
        });
        assertThatThrownBy(() -> locks().acquire(Duration.ofSeconds(1)))
                .isInstanceOf(LockUnavailableException.class)
                .satisfies(e ->
                        assertThat(((LockUnavailableException) e).mayBeTaken()).isTrue())
                .hasMessageContaining("'c'");
        rig.pass(MINUTE);
        assertThat(sent("release")).contains("b", "c").doesNotContain("a");
        nothingIsLeft();
    }

    @Test
    void whatIsLostWhileAnotherIsWaitedForIsTakenAnewAndWithItAllThatComesAfter() {
        // Slots: "b", "c", "a".
        busy.add(key("a"));
        CompletableFuture<MultiLease> waiter = waiter();
        gone.add(key("b"));
        rig.pass(Duration.ofSeconds(11));
        gone.clear();
        // Not while it holds "c", which comes after "b".
        assertThat(sent("release")).containsExactly("c");
        assertThat(sent("leave")).containsExactly("a");
        assertThat(sent("acquire").subList(0, 3)).containsExactly("b", "c", "a");
        assertThat(sent("acquire")).endsWith("b", "c", "a");
        busy.clear();
        wake("a");
        assertThat(waiter).isCompleted();
        waiter.join().ensureHeld();
        assertThat(rig.lost).extracting(LossEvent::lockName).containsExactly("b");
    }

    @Test
    void whatEndedWhileTheMachineWasSuspendedIsTakenAnewBeforeAnybodyHasTheLease() {
        // Slots: "b", "c", "a".
        boolean[] suspended = new boolean[1];
        rig.redis.answers("acquire", call -> {
            if (call.keys().get(0).equals(key("a")) && !suspended[0]) {
                suspended[0] = true;
                rig.time.stepWall(MINUTE);
            }
            return rig.redis.reply("granted", call.args().get(1), Long.toString(rig.time.serverMicros()));
        });
        CompletableFuture<MultiLease> waiter = waiter();
        rig.pass(Duration.ofSeconds(1));
        assertThat(waiter).isCompleted();
        assertThat(waiter.join().isHeld()).isTrue();
        // The last was asked for again, as its answer had come too late; then all, as the others had ended.
        assertThat(sent("acquire")).containsExactly("b", "c", "a", "a", "b", "c", "a");
        waiter.join().release();
        nothingIsLeft();
    }

    @Test
    void aLeaseThatIsNotToBeRenewedIsRenewedOnlyWhileOthersAreWaitedFor() {
        busy.add(key("c"));
        LockOptions unrenewed =
                EngineRig.OPTIONS.toBuilder().renewal(Renewal.none()).build();
        CompletableFuture<MultiLease> waiter =
                locks().with(unrenewed).acquireAsync().toCompletableFuture();
        rig.pass(MINUTE);
        busy.clear();
        wake("c");
        MultiLease lease = waiter.join();
        assertThat(lease.remaining()).isBetween(Duration.ofSeconds(18), EngineRig.LEASE);
        int renewals = sent("renew").size();
        assertThat(renewals).isPositive();
        rig.pass(Duration.ofSeconds(31));
        assertThat(sent("renew")).hasSize(renewals);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void renewalsWhileOthersAreWaitedForAreNotCounted() {
        busy.add(key("c"));
        LockOptions twice = EngineRig.OPTIONS.toBuilder()
                .renewal(Renewal.whileHeld().atMost(2))
                .build();
        CompletableFuture<MultiLease> waiter =
                locks().with(twice).acquireAsync().toCompletableFuture();
        rig.pass(MINUTE);
        busy.clear();
        wake("c");
        MultiLease lease = waiter.join();
        rig.pass(Duration.ofSeconds(35));
        assertThat(lease.isHeld()).isTrue();
        rig.pass(MINUTE);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void theFirstLossIsToldOnceAndTheRestStaysUntilItIsReleased() {
        List<LossEvent> told = new ArrayList<>();
        MultiLease lease = held(EngineRig.OPTIONS);
        lease.onLost(told::add);
        gone.add(key("b"));
        rig.pass(Duration.ofSeconds(11));
        gone.add(key("a"));
        rig.pass(Duration.ofSeconds(11));
        assertThat(told).singleElement().satisfies(loss -> {
            assertThat(loss.lockName()).isEqualTo("b");
            assertThat(loss.cause()).isEqualTo(LossCause.DELETED);
        });
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(lease.extend(Duration.ofSeconds(1))).isFalse();
        assertThatThrownBy(lease::ensureHeld)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("lock 'b'");
        List<LossEvent> late = new ArrayList<>();
        lease.onLost(late::add);
        assertThat(late).isEqualTo(told);
        // A holder that has not heard of it may still work under the other.
        assertThat(sent("release")).isEmpty();
        rig.pass(MINUTE);
        assertThat(rig.records()).hasSize(1);
        assertThatThrownBy(lease::release)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContainingAll("'a', 'b', 'c'", "lock 'b'")
                .extracting(e -> ((LeaseLostException) e).lockName())
                .isEqualTo("b");
        assertThat(sent("release")).containsExactly("c");
        lease.release();
        nothingIsLeft();
    }

    @Test
    void aLossFoundByTheReleaseIsToldToo() {
        List<LossEvent> told = new ArrayList<>();
        MultiLease lease = held(EngineRig.OPTIONS);
        lease.onLost(told::add);
        rig.redis.answers(
                "release",
                call -> call.keys().get(0).equals(key("c"))
                        ? rig.redis.reply("gone", "taken")
                        : rig.redis.reply("released"));
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class).hasMessageContaining("lock 'c'");
        assertThat(told).extracting(LossEvent::cause).containsExactly(LossCause.TAKEN_OVER);
        lease.close();
        nothingIsLeft();
    }

    @Test
    void theThreadIsInterruptedOnceAndOnlyWhileItHasTheLease() throws Exception {
        LockOptions interrupting =
                EngineRig.OPTIONS.toBuilder().interruptOnLoss(true).build();
        MultiLease lease = locks().with(interrupting).acquire(MINUTE);
        inHand.add(lease);
        gone.addAll(Set.of(key("b"), key("c")));
        rig.pass(Duration.ofSeconds(11));
        assertThat(Thread.interrupted()).isTrue();
        gone.add(key("a"));
        rig.pass(Duration.ofSeconds(11));
        assertThat(Thread.interrupted()).isFalse();
        assertThatThrownBy(lease::release).isInstanceOf(LeaseLostException.class);

        gone.clear();
        MultiLease second = locks().with(interrupting).acquire(MINUTE);
        second.release();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void allAreGivenBackBeforeTheAnswerToOneIsWaitedFor() {
        MultiLease lease = held(EngineRig.OPTIONS);
        rig.redis.silent("release");
        CompletableFuture<Void> released = lease.releaseAsync().toCompletableFuture();
        assertThat(sent("release")).containsExactly("a", "b", "c");
        assertThat(lease.isHeld()).isFalse();
        rig.redis.sent("release").forEach(sent -> sent.answer().complete(rig.redis.reply("released")));
        assertThat(released).isCompleted();
        nothingIsLeft();
    }

    @Test
    void anExtensionThatGetsNoAnswerForOneIsToldWhenAllHaveEnded() {
        MultiLease lease = held(EngineRig.OPTIONS);
        rig.redis.judges("renew", call -> {
            if (call.keys().get(0).equals(key("b"))) {
                throw LOST;
            }
            return renewed(call);
        });
        assertThatThrownBy(() -> lease.extend(MINUTE))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("'b'");
        assertThat(sent("renew")).contains("a", "c");
        assertThatThrownBy(() -> lease.extend(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        rig.redis.answers("renew", this::renewed);
        assertThat(lease.extend(MINUTE)).isTrue();
        assertThat(lease.remaining()).isGreaterThan(MINUTE);
        CompletableFuture<Boolean> async = lease.extendAsync(MINUTE).toCompletableFuture();
        assertThat(async).isCompletedWithValue(true);
        lease.release();
        assertThatThrownBy(() -> lease.extend(MINUTE)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aLateAnswerAboutOneLockIsNotTakenForOneAboutAnother() {
        rig.redis.silent("acquire");
        LockOptions brief =
                EngineRig.OPTIONS.toBuilder().leaseTime(Duration.ofMillis(300)).build();
        CompletableFuture<MultiLease> waiter =
                locks().with(brief).acquireAsync().toCompletableFuture();
        ScriptedTransport.Sent first = rig.redis.last("acquire");
        rig.redis.answers(
                "acquire",
                call -> call.keys().get(0).equals(key("b"))
                        ? rig.redis.reply("granted", call.args().get(1), "5")
                        : rig.redis.reply("busy", "30000000", "7", "0"));
        rig.pass(Duration.ofMillis(400));
        assertThat(sent("acquire")).endsWith("c");
        first.answer().complete(rig.redis.reply("busy", "30000000", "9", "0"));
        assertThat(rig.redis.sent("leave")).singleElement().satisfies(left -> {
            assertThat(left.call().keys()).containsExactly(key("b"));
            assertThat(left.arg(0)).isEqualTo("9");
        });
        assertThat(waiter).isNotDone();
    }

    @Test
    void closingTheClientEndsWhoWaitsAndGivesBackWhatItHas() {
        busy.add(key("a"));
        CompletableFuture<MultiLease> waiter = waiter();
        rig.engine.shutDown();
        assertThat(failureOf(waiter)).isInstanceOf(IllegalStateException.class);
        assertThat(sent("release")).containsExactlyInAnyOrder("b", "c");
        nothingIsLeft();
    }

    @Test
    void closingTheClientGivesBackWhatIsHeldAndTheLeaseIsNotLost() {
        MultiLease lease = held(EngineRig.OPTIONS);
        rig.engine.shutDown();
        assertThat(lease.isHeld()).isFalse();
        lease.release();
        assertThat(rig.lost).isEmpty();
        assertThat(sent("release")).containsExactlyInAnyOrder("a", "b", "c");
        nothingIsLeft();
    }

    @Test
    void namesAreCheckedBeforeAnythingIsSent() {
        assertThatThrownBy(() -> MultiLockView.checkNames(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("one name or more");
        List<String> withNull = new ArrayList<>(List.of("a"));
        withNull.add(null);
        assertThatThrownBy(() -> MultiLockView.checkNames(withNull))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("number 2");
        assertThatThrownBy(() -> MultiLockView.checkNames(List.of("a\n", "b", "a\n")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is given twice")
                .hasMessageNotContaining("\n");
        assertThat(MultiLockView.checkNames(List.of("b", "a"))).containsExactly("b", "a");
    }
}
