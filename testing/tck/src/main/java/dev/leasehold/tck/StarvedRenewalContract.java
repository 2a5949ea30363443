package dev.leasehold.tck;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.RenewedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Renewal while the application uses every processor. */
@Except(
        value = {
            Topology.TLS_AND_ACL,
            Topology.SENTINEL,
            Topology.CLUSTER,
            Topology.QUORUM_ONE_DEAD,
            Topology.QUORUM_ONE_FROZEN
        },
        because = "it tests the engine, which is the same on every topology")
@Isolated("it leaves others no processor")
class StarvedRenewalContract extends ContractBase {

    /**
     * Every processor has a queue, and contracts that run beside this one still get enough time to keep leases of
     * seconds.
     */
    private static final int BUSY_THREADS = 4 * Runtime.getRuntime().availableProcessors();

    @Test
    void renewalContinuesWhileAllProcessorsAreBusyAndAListenerBlocks() throws Exception {
        // hazard 10: renewal starved by user code.
        Queue<RenewedEvent> renewals = new ConcurrentLinkedQueue<>();
        CountDownLatch never = new CountDownLatch(1);
        AtomicBoolean stop = new AtomicBoolean();
        Leasehold leasehold = client(
                server().uri(),
                builder -> builder.listener(new LeaseholdListener() {
                            @Override
                            public void renewed(RenewedEvent event) {
                                renewals.add(event);
                            }
                        })
                        .listener(new LeaseholdListener() {
                            @Override
                            public void renewed(RenewedEvent event) {
                                uninterruptibly(never);
                            }
                        }));
        List<Thread> busy = new ArrayList<>();
        try (Lease lease = leasehold.lock(name()).with(lease(4500)).acquire()) {
            for (int i = 0; i < BUSY_THREADS; i++) {
                Thread thread = new Thread(() -> spin(stop));
                thread.setDaemon(true);
                thread.start();
                busy.add(thread);
            }
            await().until(() -> renewals.size() >= 2);
            lease.ensureHeld();
        } finally {
            stop.set(true);
            never.countDown();
        }
        for (Thread thread : busy) {
            thread.join();
        }
    }

    private static void spin(AtomicBoolean stop) {
        while (!stop.get()) {
            Thread.onSpinWait();
        }
    }

    private static void uninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
