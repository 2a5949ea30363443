package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.event.HeldLongEvent;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.RenewedEvent;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Renewal: while held, by ratio, by number, up to a maximum hold, and never of an abandoned lease. */
@SuppressWarnings("LockNotBeforeTry") // these tests are about locks that stay held
@Except(
        value = {Topology.TLS_AND_ACL, Topology.SENTINEL},
        because = "it takes long and does not differ from one server")
class RenewalContract extends ContractBase {

    private static LeaseholdListener listener(
            Queue<RenewedEvent> renewals, Queue<HeldLongEvent> longHolds, Queue<LossEvent> losses) {
        return new LeaseholdListener() {
            @Override
            public void renewed(RenewedEvent event) {
                renewals.add(event);
            }

            @Override
            public void heldLong(HeldLongEvent event) {
                longHolds.add(event);
            }

            @Override
            public void lost(LossEvent event) {
                losses.add(event);
            }
        };
    }

    private final Queue<RenewedEvent> renewals = new ConcurrentLinkedQueue<>();
    private final Queue<HeldLongEvent> longHolds = new ConcurrentLinkedQueue<>();
    private final Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();

    private Leasehold listening() {
        renewals.clear();
        longHolds.clear();
        losses.clear();
        return client(server().uri(), builder -> builder.listener(listener(renewals, longHolds, losses)));
    }

    /** A lease that a busy machine has time to renew. */
    private static LockOptions renewedEarly(long millis) {
        return lease(millis).toBuilder().renewal(Renewal.afterRatio(0.2)).build();
    }

    @Test
    void aLeaseOutlivesThreeLeaseTimesByRenewal() throws Exception {
        String name = name();
        Leasehold leasehold = listening();
        try (Lease lease = leasehold.lock(name).with(renewedEarly(1200)).acquire()) {
            // So many renewals, one after each fifth of the lease, are more than three leases.
            await().until(() -> renewals.size() >= 17);
            lease.ensureHeld();
            assertThat(client().lock(name).tryAcquire()).isEmpty();
        }
        assertThat(losses).isEmpty();
        assertThat(renewals).allSatisfy(event -> assertThat(event.lag()).isGreaterThanOrEqualTo(Duration.ZERO));
    }

    @Test
    void aLockHeldByAThreadIsRenewedToo() {
        DistributedLock lock = listening().lock(name()).with(renewedEarly(1500));
        lock.lock();
        await().until(() -> renewals.size() >= 10);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
    }

    @Test
    void renewalByNumberStopsAfterThatNumberAndTheLeaseIsLost() throws Exception {
        String name = name();
        LockOptions twice = lease(1500).toBuilder()
                .renewal(Renewal.afterRatio(0.1).atMost(2))
                .build();
        Lease lease = listening().lock(name).with(twice).acquire();
        await().until(() -> !losses.isEmpty());
        assertThat(renewals).hasSize(2);
        assertThat(losses.peek().cause()).isEqualTo(LossCause.EXPIRED);
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
        // The close sends no request; the caller that found the loss leaves a release behind, which may still be on
        // its way.
        isGivenBack(name);
    }

    @Test
    void aLeaseWithoutRenewalEndsAfterItsTime() throws Exception {
        String name = name();
        Lease lease = listening().lock(name).with(unrenewed(200)).acquire();
        await().until(() -> !losses.isEmpty());
        assertThat(lease.isHeld()).isFalse();
        assertThat(renewals).isEmpty();
        client().lock(name).acquire(Duration.ofSeconds(5)).close();
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void theMaximumHoldStopsTheRenewalAfterAnEventWithTheHoldersStack() throws Exception {
        LockOptions limited =
                renewedEarly(1000).toBuilder().maxHold(Duration.ofMillis(1800)).build();
        Lease lease = listening().lock(name()).with(limited).acquire();
        await().until(() -> !losses.isEmpty());
        HeldLongEvent event = longHolds.stream()
                .filter(HeldLongEvent::renewalStops)
                .findFirst()
                .orElseThrow();
        assertThat(event.held()).isGreaterThanOrEqualTo(Duration.ofMillis(1800));
        assertThat(event.holderStack())
                .anyMatch(frame ->
                        frame.getMethodName().equals("theMaximumHoldStopsTheRenewalAfterAnEventWithTheHoldersStack"));
        assertThat(losses.peek().cause()).isEqualTo(LossCause.EXPIRED);
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aHoldOfTenLeasesIsReportedOnceAndContinues() throws Exception {
        try (Lease lease = listening().lock(name()).with(renewedEarly(600)).acquire()) {
            // More than eleven leases.
            await().until(() -> renewals.size() >= 60);
            lease.ensureHeld();
        }
        assertThat(longHolds).hasSize(1).noneMatch(HeldLongEvent::renewalStops);
    }

    @Test
    void aHoldWhoseThreadEndedWithoutUnlockingIsNotRenewedAnyMore() throws Exception {
        // hazard 9: a watchdog that renews a leaked lease for ever.
        String name = name();
        DistributedLock lock = listening().lock(name).with(lease(1500));
        Thread thread = new Thread(lock::lock);
        thread.start();
        thread.join();
        await().until(() -> !losses.isEmpty());
        assertThat(losses.peek().cause()).isEqualTo(LossCause.THREAD_ENDED);
        client().lock(name).acquire(Duration.ofSeconds(5)).close();
    }

    @Test
    void aLeakedLeaseIsNotRenewed() throws Exception {
        // hazard 9, with a lease instead of a thread.
        String name = name();
        WeakReference<Lease> dropped =
                new WeakReference<>(listening().lock(name).with(lease(3000)).acquire());
        // Not more often: renewals need time between two collections of the whole heap.
        await().pollInterval(Duration.ofMillis(200)).until(() -> {
            System.gc();
            return dropped.get() == null;
        });
        await().until(() -> !losses.isEmpty());
        assertThat(losses.peek().cause()).isEqualTo(LossCause.ABANDONED);
        client().lock(name).acquire(Duration.ofSeconds(5)).close();
    }

    @Test
    void aThousandLeasesAreAllRenewed() throws Exception {
        String prefix = name();
        Leasehold leasehold = listening();
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            leases.add(leasehold.lock(prefix + ":" + i).with(lease(2000)).acquire());
        }
        await().until(() -> renewals.size() >= 4000);
        assertThat(losses).isEmpty();
        assertThat(leases).allMatch(Lease::isHeld);
        leasehold.close();
        assertThat((Long) server().command("EXISTS", key(prefix + ":0"))).isEqualTo(1L);
        assertThat(holds(prefix + ":0")).isZero();
    }

    @Test
    void aReleasedLeaseIsNeverRenewedAgain() throws Exception {
        String name = name();
        Leasehold leasehold = listening();
        for (int i = 0; i < 50; i++) {
            leasehold.lock(name).with(renewedEarly(1500)).acquire().close();
        }
        try (Lease other = leasehold.lock(name()).with(renewedEarly(1500)).acquire()) {
            await().until(() -> renewals.size() >= 10);
            other.ensureHeld();
        }
        assertThat(renewals).noneMatch(event -> event.lockName().equals(name));
        assertThat(losses).isEmpty();
    }
}
