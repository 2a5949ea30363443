package dev.leasehold.internal.renew;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineParts;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.spi.Timer;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/**
 * The timer's thread has handed a renewal to the batch sender and plans the next wake-up for the deadline; the sender fails the
 * renewal and plans a retry just before the timer's plan replaces its own. The retry was lost, and so was the lease, at
 * its deadline though Redis was well again.
 */
class ScheduleRaceTest {

    private final EngineRig rig = new EngineRig();
    private final Queue<Runnable> senderTasks = new ArrayDeque<>();

    private Runnable meanwhile = () -> {};

    /** Runs the batch sender between the decision when to wake up and the moment at which it takes effect. */
    private final Timer racing = new Timer() {
        @Override
        public Timeout schedule(Runnable task, long delayNanos) {
            Timeout timeout = rig.time.schedule(task, delayNanos);
            runSender();
            Runnable once = meanwhile;
            meanwhile = () -> {};
            once.run();
            return timeout;
        }

        @Override
        public void close() {}
    };

    private void runSender() {
        for (Runnable task = senderTasks.poll(); task != null; task = senderTasks.poll()) {
            task.run();
        }
    }

    private Engine engine(Timer timer) {
        EngineParts parts = rig.parts(rig.redis, Runnable::run, Runnable::run, true, EngineRig.limits());
        return new Engine(EngineRig.with(parts, timer, senderTasks::add));
    }

    @Test
    void theRetryIsNotLost() {
        Engine engine = engine(racing);
        Lease lease = engine.lock(EngineRig.KEY, EngineRig.OPTIONS).tryAcquire().orElseThrow();
        int[] failures = {1};
        rig.redis.answers("renew", call -> {
            if (failures[0]-- > 0) {
                throw new TransportException("refused at once", false, null);
            }
            return rig.redis.reply("renewed", "30000000");
        });
        rig.pass(Duration.ofSeconds(11));
        assertThat(rig.redis.sent("renew")).isNotEmpty();
        rig.pass(Duration.ofSeconds(49));
        assertThat(lease.isHeld()).isTrue();
        assertThat(rig.lost).isEmpty();
    }

    @Test
    void aWakeUpThatWasNeededNoMoreWhenItWasPlannedWakesNobody() {
        Engine engine = engine(racing);
        Lease lease = engine.lock(EngineRig.KEY, EngineRig.OPTIONS).tryAcquire().orElseThrow();
        LeaseRecord record = EngineRig.records(engine).iterator().next();
        record.plan().cancelWakeUp();
        meanwhile = () -> EngineRig.watchdog(engine).confirmed(record);
        EngineRig.watchdog(engine).unanswered(record);
        rig.pass(Duration.ofSeconds(5));
        runSender();
        assertThat(rig.redis.sent("renew")).isEmpty();
        rig.pass(Duration.ofSeconds(5));
        runSender();
        assertThat(rig.redis.sent("renew")).hasSize(1);
        assertThat(lease.isHeld()).isTrue();
    }

    /** Finding 5 and hazard 1: the process is paused between the timer's decision and the sending. */
    @Test
    void aRenewalWhoseLeaseRanOutBeforeItIsSentIsNotSent() {
        Engine engine = engine(rig.time);
        assertThat(engine.lock(EngineRig.KEY, EngineRig.OPTIONS).tryAcquire()).isPresent();
        rig.pass(Duration.ofSeconds(10));
        assertThat(senderTasks).hasSize(1);
        rig.time.pauseProcess(Duration.ofSeconds(25));
        runSender();
        assertThat(rig.redis.sent("renew")).isEmpty();
        assertThat(rig.lost).hasSize(1);
    }
}
