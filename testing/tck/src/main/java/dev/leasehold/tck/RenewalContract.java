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

    private long renewalsOf(String name) {
        return renewals.stream().filter(event -> event.lockName().equals(name)).count();
    }

    @Test
    void aLeaseOutlivesItsTimeByRenewal() throws Exception {
        String name = name();
        Leasehold leasehold = listening();
        LockOptions options =
                lease(6000).toBuilder().renewal(Renewal.afterRatio(0.1)).build();
        try (Lease lease = leasehold.lock(name).with(options).acquire()) {
            long end = holdEnd(name);
            await().until(() -> serverMicros() > end);
            lease.ensureHeld();
            assertThat(client().lock(name).tryAcquire()).isEmpty();
        }
        assertThat(losses).isEmpty();
        assertThat(renewals).allSatisfy(event -> assertThat(event.lag()).isGreaterThanOrEqualTo(Duration.ZERO));
    }

    @Test
    void aLockHeldByAThreadIsRenewedToo() {
        DistributedLock lock = listening().lock(name()).with(renewedSoon());
        lock.lock();
        await().until(() -> renewals.size() >= 3);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
    }

    @Test
    void renewalByNumberStopsAfterThatNumber() throws Exception {
        String name = name();
        LockOptions twice = renewedSoon().toBuilder()
                .renewal(renewedSoon().renewal().atMost(2))
                .build();
        Leasehold leasehold = listening();
        try (Lease lease = leasehold.lock(name).with(twice).acquire()) {
            await().until(() -> renewalsOf(name) == 2);
            letRenewalsPass(leasehold);
            lease.ensureHeld();
        }
        assertThat(renewalsOf(name)).isEqualTo(2);
        assertThat(losses).isEmpty();
    }

    /** Lets the time of five renewals pass. */
    private void letRenewalsPass(Leasehold leasehold) throws Exception {
        String name = name();
        try (Lease other = leasehold.lock(name).with(renewedSoon()).acquire()) {
            await().until(() -> renewalsOf(name) >= 5);
            other.ensureHeld();
        }
    }

    @Test
    void aLeaseWithoutRenewalEndsAfterItsTime() throws Exception {
        String name = name();
        Lease lease = listening().lock(name).with(unrenewed(200)).acquire();
        await().until(() -> !losses.isEmpty());
        assertThat(losses.peek().cause()).isEqualTo(LossCause.EXPIRED);
        assertThat(lease.isHeld()).isFalse();
        assertThat(renewals).isEmpty();
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
        // The close sends no request; the caller that found the loss leaves a release behind, which may still be on
        // its way.
        isGivenBack(name);
        client().lock(name).acquire(LIMIT).close();
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void theMaximumHoldStopsTheRenewalAfterAnEventWithTheHoldersStack() throws Exception {
        String name = name();
        Duration maximum = Duration.ofSeconds(1);
        LockOptions limited = renewedSoon().toBuilder().maxHold(maximum).build();
        Leasehold leasehold = listening();
        try (Lease lease = leasehold.lock(name).with(limited).acquire()) {
            await().until(() -> !longHolds.isEmpty());
            letRenewalsPass(leasehold);
            long renewed = renewalsOf(name);
            letRenewalsPass(leasehold);
            assertThat(renewalsOf(name)).isEqualTo(renewed).isPositive();
            lease.ensureHeld();
        }
        assertThat(longHolds).singleElement().satisfies(event -> {
            assertThat(event.renewalStops()).isTrue();
            assertThat(event.held()).isGreaterThanOrEqualTo(maximum);
            assertThat(event.holderStack())
                    .anyMatch(frame -> frame.getMethodName()
                            .equals("theMaximumHoldStopsTheRenewalAfterAnEventWithTheHoldersStack"));
        });
    }

    @Test
    void aHoldWhoseThreadEndedWithoutUnlockingIsNotRenewedAnyMore() throws Exception {
        // hazard 9: a watchdog that renews a leaked lease for ever.
        String name = name();
        DistributedLock lock = listening()
                .lock(name)
                .with(lease(3000).toBuilder().renewal(Renewal.afterRatio(0.05)).build());
        Thread thread = new Thread(lock::lock);
        thread.start();
        thread.join();
        await().until(() -> !losses.isEmpty());
        assertThat(losses.peek().cause()).isEqualTo(LossCause.THREAD_ENDED);
        client().lock(name).acquire(LIMIT).close();
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
        client().lock(name).acquire(LIMIT).close();
    }

    @Test
    void hundredsOfLeasesAreAllRenewed() throws Exception {
        String prefix = name();
        int number = topology() == Topology.STANDALONE ? 1_000 : 200;
        Leasehold leasehold = listening();
        LockOptions options =
                lease(10_000).toBuilder().renewal(Renewal.afterRatio(0.1)).build();
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            leases.add(leasehold.lock(prefix + ":" + i).with(options).acquire());
        }
        await().until(() -> renewals.size() >= 3 * number);
        assertThat(losses).isEmpty();
        assertThat(leases).allMatch(Lease::isHeld);
        leasehold.close();
        assertThat(exists(key(prefix + ":0"))).isTrue();
        assertThat(holds(prefix + ":0")).isZero();
    }

    @Test
    void aReleasedLeaseIsNeverRenewedAgain() throws Exception {
        String name = name();
        Leasehold leasehold = listening();
        for (int i = 0; i < 50; i++) {
            leasehold.lock(name).with(renewedSoon()).acquire().close();
        }
        // On a busy machine a lease may have been renewed before its release.
        letRenewalsPass(leasehold);
        long before = renewalsOf(name);
        letRenewalsPass(leasehold);
        assertThat(renewalsOf(name)).isEqualTo(before);
        assertThat(losses).isEmpty();
    }
}
