package dev.leasehold.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.event.WaitEndedEvent;
import dev.leasehold.event.WaitOutcome;
import dev.leasehold.event.WaitingEvent;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Every wait and every lease that begins by an event ends by one: a listener that counts both ends with none left. */
class EventDispatcherTest {

    private final EngineRig rig = new EngineRig();

    private void busy() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "5000000", "7", "0"));
    }

    /** Grants the lock to the next acquire, with reserved tokens for hand-offs. */
    private void free() {
        boolean[] free = {true};
        rig.redis.answers("acquire", call -> {
            if (!free[0]) {
                return rig.redis.reply("busy", "30000000", "7", "0");
            }
            free[0] = false;
            long token = rig.time.serverMicros();
            return rig.redis.reply("granted", "30000000", Long.toString(token), Long.toString(token + 99));
        });
    }

    private CompletableFuture<Lease> waiter() {
        return rig.lock().acquireAsync().toCompletableFuture();
    }

    @Test
    void aWaitIsReportedOnceAndItsEndOnce() {
        busy();
        CompletableFuture<Lease> first = waiter();
        rig.pass(Duration.ofSeconds(20));
        assertThat(rig.redis.sent("acquire").size()).isGreaterThan(2);
        assertThat(rig.waiting).containsExactly(new WaitingEvent("a", Duration.ofSeconds(5)));
        assertThat(rig.waitEnded).isEmpty();
        free();
        rig.redis.listeners.get(0).resubscribed();
        assertThat(first).isCompleted();
        assertThat(rig.waiting).hasSize(1);
        assertThat(rig.waitEnded)
                .containsExactly(new WaitEndedEvent("a", Duration.ofSeconds(20), WaitOutcome.ACQUIRED));
    }

    @Test
    void aWaiterBehindAnotherOfItsProcessIsReportedToo() {
        busy();
        CompletableFuture<Lease> first = waiter();
        CompletableFuture<Lease> second = waiter();
        assertThat(rig.waiting)
                .containsExactly(new WaitingEvent("a", Duration.ofSeconds(5)), new WaitingEvent("a", Duration.ZERO));
        free();
        rig.redis.listeners.get(0).resubscribed();
        first.join().release();
        assertThat(second).isCompleted();
        assertThat(rig.waitEnded)
                .extracting(WaitEndedEvent::outcome)
                .containsOnly(WaitOutcome.ACQUIRED)
                .hasSize(2);
        assertThat(rig.acquired).extracting(AcquiredEvent::handedOff).containsExactly(false, true);
    }

    @Test
    void anAcquisitionWithoutAWaitReportsNone() {
        rig.held().release();
        busy();
        assertThat(rig.lock().tryAcquire()).isEmpty();
        assertThat(rig.waiting).isEmpty();
        assertThat(rig.waitEnded).isEmpty();
        assertThat(rig.acquired).extracting(AcquiredEvent::handedOff).containsExactly(false);
    }

    @Test
    void aWaitWithoutALeaseEndsToo() {
        busy();
        CompletableFuture<Optional<Lease>> timed =
                rig.lock().tryAcquireAsync(Duration.ofSeconds(3)).toCompletableFuture();
        rig.pass(Duration.ofSeconds(4));
        assertThat(timed).isCompletedWithValue(Optional.empty());
        waiter().cancel(false);
        CompletableFuture<Lease> failing = waiter();
        rig.redis.fails("acquire", new TransportException("gone", true, null));
        rig.pass(Duration.ofSeconds(30));
        assertThat(failing).isCompletedExceptionally();
        busy();
        CompletableFuture<Lease> closed = waiter();
        rig.engine.shutDown();
        assertThat(closed).isCompletedExceptionally();
        assertThat(rig.waiting).hasSize(4);
        assertThat(rig.waitEnded)
                .extracting(WaitEndedEvent::outcome)
                .containsExactly(WaitOutcome.BUSY, WaitOutcome.ABANDONED, WaitOutcome.FAILED, WaitOutcome.FAILED);
    }

    @Test
    void theLeasesThatAClosedClientReleasesAreReportedAsReleased() {
        Lease lease = rig.held();
        rig.pass(Duration.ofSeconds(2));
        rig.engine.shutDown();
        lease.close();
        assertThat(rig.released).containsExactly(new ReleasedEvent("a", lease.owner(), Duration.ofSeconds(2), false));
        assertThat(rig.acquired).hasSize(1);
    }

    @Test
    void aDowngradeEndsOneLeaseAndBeginsAnother() throws Exception {
        rig.redis.answers("downgrade", call -> rig.redis.reply("shared", "30000000", "99"));
        var locks = rig.engine.readWriteLock(EngineRig.KEY, EngineRig.OPTIONS);
        Lease writer = locks.writeLock().acquire();
        Lease reader = locks.downgrade(writer);
        assertThat(rig.released).extracting(ReleasedEvent::owner).containsExactly(writer.owner());
        assertThat(rig.acquired).extracting(AcquiredEvent::owner).containsExactly(writer.owner(), reader.owner());
    }

    /** The events of 20,000 leases are more than a queue takes: what is left out, is left out with its end. */
    @Test
    void aListenerThatWasStuckCountsAsManyEndsAsStarts() {
        Queue<Runnable> tasks = new ArrayDeque<>();
        Engine engine = new Engine(rig.parts(rig.redis, Runnable::run, tasks::add, true, EngineRig.limits()));
        Lease before = engine.lock(LockKey.of(EngineRig.PREFIX, "before"), EngineRig.OPTIONS)
                .tryAcquire()
                .orElseThrow();
        for (int n = 0; n < 20_000; n++) {
            engine.lock(EngineRig.KEY, EngineRig.OPTIONS)
                    .tryAcquire()
                    .orElseThrow()
                    .release();
        }
        Lease lost = engine.lock(LockKey.of(EngineRig.PREFIX, "lost"), EngineRig.OPTIONS)
                .tryAcquire()
                .orElseThrow();
        before.release();
        rig.redis.answers("renew_many", call -> rig.redis.each(call, n -> List.of("gone", "free")));
        rig.redis.answers("renew", call -> rig.redis.reply("gone", "free"));
        rig.pass(Duration.ofSeconds(15));
        assertThat(lost.isHeld()).isFalse();
        assertThat(rig.acquired).isEmpty();
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
        assertThat(rig.lost).extracting(LossEvent::lockName).containsExactly("lost");
        assertThat(rig.acquired).hasSize(rig.released.size() + 1).hasSizeLessThan(20_000);
        assertThat(rig.acquired).extracting(AcquiredEvent::lockName).contains("before", "lost");
        assertThat(rig.released).extracting(ReleasedEvent::lockName).contains("before");
    }
}
