package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Interrupts during acquire, ten thousands of them, at every point of it: no lock stays held. */
@Except(
        value = {
            Topology.TLS_AND_ACL,
            Topology.SENTINEL,
            Topology.CLUSTER,
            Topology.QUORUM_ONE_DEAD,
            Topology.QUORUM_ONE_FROZEN
        },
        because = "it tests the engine, which is the same on every topology")
class InterruptContract extends WiredBase {

    private static final int ROUNDS = 10_000;
    private static final int AT_LEAST = 1_000;

    @Override
    LeaseholdBuilder builder(String uri) {
        return Leasehold.builder()
                .transport(new WatchedTransport(transport(uri), phase, way().answersOnCallersThread()));
    }

    /** The position of the acquiring thread, as its transport sees it. */
    enum Phase {
        BEFORE_SEND,
        IN_FLIGHT,
        AFTER_REPLY
    }

    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.BEFORE_SEND);

    @Test
    @Tag("long")
    void tenThousandInterruptsDuringAcquireLeaveNothingHeld() throws Exception {
        // hazard 7: an interrupted acquire leaks the lock, or swallows the interrupt.
        String prefix = name();
        Leasehold leasehold = client(server().uri(), builder -> builder.commandTimeout(Duration.ofMillis(500)));
        Map<Phase, AtomicInteger> interrupted = new EnumMap<>(Phase.class);
        for (Phase each : Phase.values()) {
            interrupted.put(each, new AtomicInteger());
        }
        Thread worker = Thread.currentThread();
        for (int i = 0; i < ROUNDS; i++) {
            Phase target = Phase.values()[i % 3];
            round(
                    leasehold.lock(prefix + ":" + i % 16),
                    worker,
                    target,
                    Objects.requireNonNull(interrupted.get(target)));
        }
        assertThat(interrupted.values())
                .allSatisfy(count -> assertThat(count.get()).isGreaterThanOrEqualTo(AT_LEAST));
        for (int i = 0; i < 16; i++) {
            String name = prefix + ":" + i;
            await().until(() -> holds(name) == 0);
        }
    }

    private void round(DistributedLock lock, Thread worker, Phase target, AtomicInteger interrupted) {
        phase.set(Phase.BEFORE_SEND);
        WatchedTransport.arm(target, worker, interrupted);
        if (target == Phase.BEFORE_SEND) {
            interrupted.incrementAndGet();
            worker.interrupt();
        }
        try (Lease lease = lock.acquire(Duration.ofSeconds(5))) {
            lease.ensureHeld();
        } catch (InterruptedException e) {
            assertThat(worker.isInterrupted()).isFalse();
        } finally {
            WatchedTransport.disarm();
            // Clears an interrupt that arrived after the acquire had ended.
            Thread.interrupted();
        }
    }
}
