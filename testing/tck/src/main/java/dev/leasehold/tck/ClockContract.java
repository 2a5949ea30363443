package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.WaitingEvent;
import dev.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Clocks that step, on either side, and machines that were suspended: only the clock of Redis ends a hold. */
@Except(
        value = {
            Topology.TLS_AND_ACL,
            Topology.SENTINEL,
            Topology.CLUSTER,
            Topology.QUORUM_ONE_DEAD,
            Topology.QUORUM_ONE_FROZEN
        },
        because = "it tests the engine, which is the same on every topology")
class ClockContract extends ContractBase {

    private static Queue<LossEvent> listenTo(Lease lease) {
        Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();
        lease.onLost(losses::add);
        return losses;
    }

    /** Clocks whose wall clock a test can move, like NTP, an administrator, or a suspended machine. */
    private static final class ShiftedTime implements TimeSource {
        private final AtomicLong wallShiftMillis = new AtomicLong();

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long wallMillis() {
            return System.currentTimeMillis() + wallShiftMillis.get();
        }
    }

    @Test
    void aStepOfTheWallClockMakesALeaseSuspectUntilRedisConfirmsItAndLosesNothing() throws Exception {
        // finding 17: a step alone is never a loss.
        ShiftedTime time = new ShiftedTime();
        String name = name();
        Leasehold leasehold = client(server().uri(), builder -> builder.timeSource(time));
        try (Lease lease = leasehold.lock(name).with(lease(20_000)).acquire()) {
            Queue<LossEvent> losses = listenTo(lease);
            server().resetStats();
            time.wallShiftMillis.addAndGet(3_600_000);
            assertThat(lease.isHeld()).isFalse();
            await().until(lease::isHeld);
            assertThat(server().commandCounts().getOrDefault("evalsha", 0L)).isPositive();
            time.wallShiftMillis.addAndGet(-7_200_000);
            assertThat(lease.isHeld()).isTrue();
            time.wallShiftMillis.addAndGet(60_000);
            lease.ensureHeld();
            assertThat(losses).isEmpty();
        }
    }

    @Test
    void aMachineThatWasSuspendedForLongerThanTheLeaseFindsItLost() throws Exception {
        // hazard 3: the monotonic clock paused, Redis did not.
        ShiftedTime time = new ShiftedTime();
        String name = name();
        Leasehold leasehold = client(server().uri(), builder -> builder.timeSource(time));
        Lease lease = leasehold.lock(name).with(unrenewed(20_000)).acquire();
        Queue<LossEvent> losses = listenTo(lease);
        // Suspended for 25 s: Redis has ended the hold; here the test deletes it. The monotonic clock did not
        // advance.
        server().command("DEL", key(name));
        time.wallShiftMillis.addAndGet(25_000);
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
        await().until(() -> losses.size() == 1);
    }

    @Test
    void aWallClockThatStepsBackDoesNotLengthenAWait() throws Exception {
        // hazard 4: a wait of 10 s must not last for hours.
        ShiftedTime time = new ShiftedTime();
        String name = name();
        Lease held = client().lock(name).acquire();
        CountDownLatch waits = new CountDownLatch(1);
        LeaseholdListener listener = new LeaseholdListener() {
            @Override
            public void waiting(WaitingEvent event) {
                waits.countDown();
            }
        };
        DistributedLock lock = client(
                        server().uri(), builder -> builder.timeSource(time).listener(listener))
                .lock(name);
        CompletableFuture<Boolean> waiting = inThread(
                () -> outOfDoubt(() -> lock.tryAcquire(Duration.ofSeconds(3))).isPresent());
        assertThat(waits.await(30, TimeUnit.SECONDS)).isTrue();
        time.wallShiftMillis.addAndGet(-3_600_000);
        assertThat(waiting.get(30, TimeUnit.SECONDS)).isFalse();
        held.close();
    }

    @Test
    void anEndThatLiesAnHourAheadHealsWithinOneLease() throws Exception {
        // finding 14: the clock of Redis stepped back by an hour under a hold.
        String name = name();
        String id = "AAAAAAAAAAAAAAAAAAAAAA";
        long from = serverMicros() + 3_600_000_000L;
        server().command("HSET", key(name), "v", "1", "last", "5", "own", id, "h:" + id, from + ":500000:" + from);
        DistributedLock lock = client().lock(name);
        assertThat(lock.tryAcquire()).isEmpty();
        long healed = holdEnd(name);
        assertThat(healed).isLessThan(serverMicros() + 600_000);
        lock.acquire(Duration.ofSeconds(10)).close();
    }
}
