package dev.leasehold.internal.renew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.ServerFeatures;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.time.Clocks;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class LeaseTimersTest {

    private final EngineRig rig = new EngineRig();
    private final long origin = rig.time.nanoTime();
    private final List<LeaseRecord> woken = new ArrayList<>();
    private Consumer<LeaseRecord> wake = woken::add;
    private final LeaseTimers timers = new LeaseTimers(rig.context(), origin, record -> wake.accept(record));

    private static LeaseRecord lease(int number) {
        return new LeaseRecord(EngineRig.KEY, new AcquisitionId("id" + number), null, EngineRig.OPTIONS, null, false);
    }

    private LeaseRecord waiting(LeaseTimer timer, int number) {
        LeaseRecord record = lease(number);
        assertThat(record.plan().replaceWakeUp(null, timer)).isTrue();
        assertThat(timer.add(record)).isTrue();
        return record;
    }

    private LeaseTimer in(Duration time) {
        return timers.at(timers.firesAt(rig.time.nanoTime() + time.toNanos()));
    }

    @Test
    void momentsWithinFiveMillisecondsHaveOneTimerThatFiresAtTheirEnd() {
        LeaseTimer timer = in(Duration.ofNanos(5_000_001));
        assertThat(in(Duration.ofMillis(10))).isSameAs(timer);
        assertThat(in(Duration.ofNanos(10_000_001))).isNotSameAs(timer);
        LeaseRecord one = waiting(timer, 1);
        LeaseRecord two = waiting(timer, 2);
        rig.pass(Duration.ofNanos(9_999_999));
        assertThat(woken).isEmpty();
        rig.pass(Duration.ofNanos(1));
        assertThat(woken).containsExactly(one, two);
        assertThat(one.plan().wakeUp()).isNull();
    }

    @Test
    void aMomentThatHasPassedIsTheNextOne() {
        rig.pass(Duration.ofMillis(7));
        waiting(timers.at(timers.firesAt(origin)), 1);
        rig.pass(Duration.ofMillis(3));
        assertThat(woken).hasSize(1);
    }

    @Test
    void aLeaseIsWokenByTheTimerThatItsPlanNames() {
        LeaseTimer timer = in(Duration.ofMillis(10));
        LeaseRecord record = waiting(timer, 1);
        LeaseTimer later = in(Duration.ofMillis(20));
        assertThat(record.plan().replaceWakeUp(timer, later)).isTrue();
        timer.cancel();
        assertThat(later.add(record)).isTrue();
        rig.pass(Duration.ofMillis(10));
        assertThat(woken).isEmpty();
        rig.pass(Duration.ofMillis(10));
        assertThat(woken).containsExactly(record);
    }

    @Test
    void aTimerThatHasFiredRefusesLeases() {
        LeaseTimer timer = in(Duration.ofMillis(10));
        rig.pass(Duration.ofMillis(10));
        assertThat(timer.add(lease(1))).isFalse();
    }

    @Test
    void aLeaseThatThrowsKeepsNoOtherAsleep() {
        LeaseTimer timer = in(Duration.ofMillis(10));
        LeaseRecord bad = waiting(timer, 1);
        LeaseRecord good = waiting(timer, 2);
        wake = record -> {
            woken.add(record);
            if (record == bad) {
                throw new IllegalStateException("a test of what a bug does");
            }
        };
        rig.pass(Duration.ofMillis(10));
        assertThat(woken).containsExactly(bad, good);
    }

    @Test
    void leasesThatEndedAreUnlisted() {
        LeaseTimer timer = in(Duration.ofSeconds(10));
        LeaseRecord last = waiting(timer, 0);
        for (int n = 1; n <= 1000; n++) {
            waiting(timer, n).plan().cancelWakeUp();
            assertThat(timer.size()).isLessThanOrEqualTo(67);
        }
        rig.pass(Duration.ofSeconds(10));
        assertThat(woken).containsExactly(last);
    }

    @Test
    void anUnusedTimerIsStoppedUnlessItIsDueSoon() {
        int before = rig.time.planned();
        waiting(in(Duration.ofSeconds(17)), 1).plan().cancelWakeUp();
        assertThat(rig.time.planned()).isEqualTo(before);
        LeaseTimer soon = in(Duration.ofSeconds(16));
        waiting(soon, 2).plan().cancelWakeUp();
        assertThat(rig.time.planned()).isEqualTo(before + 1);
        assertThat(in(Duration.ofSeconds(16))).isSameAs(soon);
    }

    @Test
    void aTimerThatCouldNotBeScheduledIsNotUsedAgain() {
        boolean[] broken = {true};
        Timer timer = new Timer() {
            @Override
            public Timeout schedule(Runnable task, long delayNanos) {
                if (broken[0]) {
                    throw new IllegalStateException("the timer is broken");
                }
                return rig.time.schedule(task, delayNanos);
            }

            @Override
            public void close() {}
        };
        LeaseTimers some = new LeaseTimers(
                new RequestContext(
                        new Clocks(rig.time),
                        (key, at) -> ServerTime.NONE,
                        timer,
                        EngineRig.limits(),
                        rig.lifecycle(),
                        ServerFeatures.unknown(),
                        () -> 0),
                origin,
                woken::add);
        long at = some.firesAt(origin + 10_000_000);
        assertThatThrownBy(() -> some.at(at)).hasMessage("the timer is broken");
        broken[0] = false;
        LeaseRecord record = waiting(some.at(at), 1);
        rig.pass(Duration.ofMillis(10));
        assertThat(woken).containsExactly(record);
    }
}
