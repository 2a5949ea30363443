package dev.leasehold.internal.acquire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.LockOptions;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.VirtualTime;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.request.Step;
import dev.leasehold.internal.script.AcquireFreeScript;
import dev.leasehold.internal.script.AcquireScript;
import dev.leasehold.internal.time.WaitLimit;
import dev.leasehold.spi.Script;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which script an acquisition sends: the one for a free lock first, if the client expects the lock to be free. */
class AcquireIfFreeTest {

    private final EngineRig rig = new EngineRig();

    private Acquisition begin(WaitLimit limit) {
        return begin(EngineRig.KEY, null, false, limit);
    }

    private Acquisition begin(LockKey key, @Nullable OwnerKey owner, boolean fair, WaitLimit limit) {
        return rig.acquisitions()
                .of(new AcquireRequest(key, owner, EngineRig.OPTIONS, null, false, fair, false, limit, false, null));
    }

    private static Step.Send<?> send(Acquisition acquisition) {
        return (Step.Send<?>) acquisition.next();
    }

    private static Script script(Acquisition acquisition) {
        return script(send(acquisition));
    }

    private static Script script(Step.Send<?> send) {
        return EngineRig.call(send).script();
    }

    private static String arg(Step.Send<?> send, int i) {
        return EngineRig.call(send).args().get(i);
    }

    @Test
    void aHoldIsLeanIfThisScriptGrantedItWithoutALabel() {
        assertThat(granted(begin(WaitLimit.ONCE), "granted " + rig.time.serverMicros())
                        .sent()
                        .lean())
                .isTrue();

        Acquisition undecided = begin(WaitLimit.ONCE);
        EngineRig.answer(send(undecided), rig.redis.reply("undecided"));
        assertThat(granted(undecided, rig.redis.reply("granted", "30000000", "7"))
                        .sent()
                        .lean())
                .isFalse();

        LockOptions labelled = EngineRig.OPTIONS.toBuilder().label("nightly").build();
        Acquisition withLabel = rig.acquisitions()
                .of(new AcquireRequest(
                        EngineRig.KEY, null, labelled, null, false, false, false, WaitLimit.ONCE, false, null));
        assertThat(granted(withLabel, "granted " + rig.time.serverMicros())
                        .sent()
                        .lean())
                .isFalse();
    }

    private static LeaseRecord granted(Acquisition acquisition, String answer) {
        return granted(acquisition, List.of(answer));
    }

    private static LeaseRecord granted(Acquisition acquisition, List<String> answer) {
        EngineRig.answer(send(acquisition), answer);
        return Objects.requireNonNull(acquisition.outcome().acquired());
    }

    @Test
    void afterUndecidedTheOtherScriptFollowsAtOnceUnderTheSameId() {
        Acquisition acquisition = begin(WaitLimit.UNLIMITED);
        Step.Send<?> first = send(acquisition);
        assertThat(script(first)).isEqualTo(AcquireFreeScript.SCRIPT);
        EngineRig.answer(first, rig.redis.reply("undecided"));
        Step.Send<?> second = send(acquisition);
        assertThat(script(second)).isEqualTo(AcquireScript.SCRIPT);
        assertThat(arg(second, 0)).isEqualTo(arg(first, 0));
        assertThat(acquisition.tries()).as("nothing was tried yet").isZero();
    }

    @Test
    void aWaiterForABusyLockAsksForAPositionAtOnce() {
        Acquisition acquisition = begin(WaitLimit.UNLIMITED);
        Step.Send<?> first = send(acquisition);
        assertThat(script(first)).isEqualTo(AcquireFreeScript.SCRIPT);
        EngineRig.answer(first, rig.redis.reply("busy", "30000000"));
        Step.Send<?> second = send(acquisition);
        assertThat(script(second)).isEqualTo(AcquireScript.SCRIPT);
        assertThat(arg(second, 7)).as("its channel").isNotEmpty();
    }

    @Test
    void anAttemptThatDoesNotWaitIsOverWithBusy() {
        Acquisition acquisition = begin(WaitLimit.ONCE);
        Step.Send<?> first = send(acquisition);
        assertThat(script(first)).isEqualTo(AcquireFreeScript.SCRIPT);
        EngineRig.answer(first, rig.redis.reply("busy", "30000000"));
        assertThat(acquisition.next()).isInstanceOf(Step.Over.class);
        assertThat(acquisition.outcome().busy()).isTrue();
        assertThat(acquisition.tries()).isEqualTo(1);
    }

    @Test
    void aRequestWithoutAnAnswerIsRepeatedByTheScriptThatFindsItsHold() {
        Acquisition acquisition = begin(WaitLimit.UNLIMITED);
        Step.Send<?> first = send(acquisition);
        rig.time.pauseProcess(Duration.ofSeconds(2));
        acquisition.failed(RequestFailures.timedOut(2_000_000_000));
        rig.time.pauseProcess(Duration.ofMillis(20));
        Step.Send<?> second = send(acquisition);
        assertThat(script(second)).isEqualTo(AcquireScript.SCRIPT);
        assertThat(arg(second, 0)).isEqualTo(arg(first, 0));
    }

    @Test
    void whereTheClientMetOthersTheOtherScriptIsSentForFiveSeconds() {
        Acquisition met = begin(WaitLimit.ONCE);
        EngineRig.answer(send(met), rig.redis.reply("busy", "30000000"));
        assertThat(script(begin(WaitLimit.ONCE))).isEqualTo(AcquireScript.SCRIPT);
        rig.pass(Duration.ofSeconds(4));
        assertThat(script(begin(WaitLimit.ONCE))).isEqualTo(AcquireScript.SCRIPT);
        rig.pass(Duration.ofSeconds(1));
        assertThat(script(begin(WaitLimit.ONCE))).isEqualTo(AcquireFreeScript.SCRIPT);
    }

    @Test
    void namedOwnersReadersAndFairWaitersDoNotTryIt() {
        assertThat(script(begin(EngineRig.KEY, OwnerKey.named("job"), false, WaitLimit.UNLIMITED)))
                .isEqualTo(AcquireScript.NAMED);
        assertThat(script(begin(ReadKey.of(EngineRig.KEY), null, false, WaitLimit.UNLIMITED)))
                .isEqualTo(AcquireScript.SHARED);
        assertThat(script(begin(EngineRig.KEY, null, true, WaitLimit.UNLIMITED)))
                .isEqualTo(AcquireScript.SCRIPT);
    }

    @Test
    void severalLocksInOneCallDoNotTryIt() {
        Acquisition acquisition = begin(WaitLimit.ONCE);
        acquisition.combined();
        assertThat(script(acquisition)).isEqualTo(AcquireScript.SCRIPT);
    }

    @Test
    void contentionOfManyLocksIsForgotten() {
        VirtualTime time = new VirtualTime();
        RecentContention contention = new RecentContention(time, time::nanoTime);
        for (int n = 0; n < 5000; n++) {
            LockKey key = LockKey.of(new KeyPrefix("leasehold"), "lock-" + n);
            contention.met(key, time.nanoTime());
            assertThat(contention.at(key, time.nanoTime())).isTrue();
            time.pass(Duration.ofMillis(10));
        }
        assertThat(contention.size()).isLessThanOrEqualTo(1600);
        time.pass(Duration.ofSeconds(15));
        assertThat(contention.size()).isZero();
    }
}
