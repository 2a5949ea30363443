package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleaseRequestedEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Asking politely: the holder hears of it when it renews, and does as it likes. By force it is told that it lost. */
@Except(
        value = {
            Topology.TLS_AND_ACL,
            Topology.SENTINEL,
            Topology.CLUSTER,
            Topology.QUORUM_ONE_DEAD,
            Topology.QUORUM_ONE_FROZEN
        },
        because = "it shows what the engine does, wherever its servers are")
public abstract class ReleaseRequestContract extends ContractBase {

    private final Queue<ReleaseRequestedEvent> told = new ConcurrentLinkedQueue<>();

    /** For subclasses. */
    protected ReleaseRequestContract() {}

    /** One object serves all tests of the class. */
    @BeforeEach
    void nobodyWasTold() {
        told.clear();
    }

    /** Renewed thrice a second, so that a request is soon heard. */
    private static LockOptions brief() {
        return lease(1000);
    }

    private Lease listening(Lease lease) {
        lease.onReleaseRequested(told::add);
        return lease;
    }

    @Test
    void theHolderIsAskedAndWhoWaitsHasTheLockWhenItReleases() throws Exception {
        String name = name();
        Lease holder = client().lock(name).with(brief()).acquire();
        CompletableFuture<ReleaseRequestedEvent> asked = new CompletableFuture<>();
        holder.onReleaseRequested(event -> {
            asked.complete(event);
            holder.release();
        });
        DistributedLock wanted = client().lock(name);
        CompletableFuture<Lease> waiter = waiter(wanted);
        untilWaiting(name, 1);
        assertThat(wanted.requestRelease()).isTrue();
        assertThat(asked.get(20, TimeUnit.SECONDS))
                .isEqualTo(new ReleaseRequestedEvent(name, holder.owner(), holder.fencingToken()));
        assertThat(granted(waiter).fencingToken()).isGreaterThan(holder.fencingToken());
    }

    @Test
    void aHolderThatGoesOnIsToldOnceHoweverOftenSomebodyAsksAndStaysTheHolder() throws Exception {
        String name = name();
        Lease holder = listening(client().lock(name).with(brief()).acquire());
        assertThat(client().lock(name).requestRelease()).isTrue();
        await().until(() -> told.size() == 1);
        assertThat(client().lock(name).requestRelease()).isTrue();
        long end = holdEnd(name);
        await().until(() -> holdEnd(name) > end + 600_000);
        assertThat(told).hasSize(1);
        listening(holder);
        await().until(() -> told.size() == 2);
        holder.ensureHeld();
    }

    @Test
    void aRequestGoesWithTheHoldAndNobodyIsAskedForAFreeLock() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        assertThat(lock.requestRelease()).isFalse();
        Lease first = client().lock(name).acquire();
        assertThat(lock.requestRelease()).isTrue();
        first.close();
        assertThat(lock.requestRelease()).isFalse();
        try (Lease second = listening(client().lock(name).with(brief()).acquire())) {
            long end = holdEnd(name);
            await().until(() -> holdEnd(name) > end);
            assertThat(told).isEmpty();
            second.ensureHeld();
        }
    }

    @Test
    void withoutAWaitingThreadTheHolderIsAskedAsWell() throws Exception {
        String name = name();
        Leasehold asking = client();
        DistributedLock lock = asking.lock(name);
        assertThat(asked(lock.requestReleaseAsync())).isFalse();
        Lease holder = listening(client().lock(name).with(brief()).acquire());
        assertThat(asked(lock.requestReleaseAsync())).isTrue();
        await().until(() -> told.size() == 1);
        assertThat(told.element().fencingToken()).isEqualTo(holder.fencingToken());
        assertThat(asked(asking.readWriteLock(name).readLock().requestReleaseAsync()))
                .isTrue();
        assertThatThrownBy(() -> asking.plainLock(name).requestReleaseAsync())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(name);
        asking.close();
        assertThatThrownBy(() -> asked(lock.requestReleaseAsync()))
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    private static boolean asked(CompletionStage<Boolean> stage) throws Exception {
        return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @Test
    void allReadersAreAskedAlsoThoseWhoShareAHold() throws Exception {
        String name = name();
        DistributedReadWriteLock here = client().readWriteLock(name);
        List<Lease> readers = new ArrayList<>();
        for (DistributedReadWriteLock lock : List.of(here, here, client().readWriteLock(name))) {
            readers.add(listening(lock.readLock().with(brief()).acquire()));
        }
        assertThat(client().readWriteLock(name).writeLock().requestRelease()).isTrue();
        await().until(() -> told.size() == 3);
        readers.forEach(Lease::ensureHeld);
    }

    @Test
    void allHoldsOfANamedOwnerAreAsked() throws Exception {
        String name = name();
        Lease one = listening(client().lock(name).ownedBy("job").with(brief()).acquire());
        Lease other = listening(client().lock(name).ownedBy("job").with(brief()).acquire());
        assertThat(client().lock(name).requestRelease()).isTrue();
        await().until(() -> told.size() == 2);
        assertThat(told).extracting(ReleaseRequestedEvent::owner).containsOnly("job");
        one.close();
        other.close();
    }

    @Test
    void ofSeveralLocksTheOneThatIsWantedIsNamed() throws Exception {
        String name = name();
        try (Lease several = listening(client().allOf(name + ":1", name + ":2", name + ":3")
                .with(brief())
                .acquire())) {
            assertThat(client().lock(name + ":2").requestRelease()).isTrue();
            await().until(() -> told.size() == 1);
            assertThat(told.element().lockName()).isEqualTo(name + ":2");
            several.ensureHeld();
            several.onReleaseRequested(told::add);
            await().until(() -> told.size() == 2);
        }
    }

    @Test
    void amongManyThatAreRenewedTogetherOnlyTheWantedOneIsAsked() throws Exception {
        String name = name();
        Leasehold leasehold = client();
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            leases.add(listening(leasehold.lock(name + ":" + i).with(brief()).acquire()));
        }
        assertThat(client().lock(name + ":7").requestRelease()).isTrue();
        await().until(() -> !told.isEmpty());
        long end = holdEnd(name + ":7");
        await().until(() -> holdEnd(name + ":7") > end);
        assertThat(told).extracting(ReleaseRequestedEvent::lockName).containsExactly(name + ":7");
        leases.forEach(Lease::ensureHeld);
    }

    @Test
    void aLeaseThatIsNotRenewedHearsOfItWhenItIsExtended() throws Exception {
        String name = name();
        Lease holder = listening(client().lock(name).with(unrenewed(20_000)).acquire());
        assertThat(client().lock(name).requestRelease()).isTrue();
        assertThat(holder.extend(Duration.ofSeconds(1))).isTrue();
        await().until(() -> told.size() == 1);
    }

    @Test
    void aPlainLockHasNoRoomForARequest() throws Exception {
        String name = name();
        try (Lease plain = listening(client().plainLock(name).acquire())) {
            assertThatThrownBy(() -> client().plainLock(name).requestRelease())
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining(name);
            plain.ensureHeld();
        }
        assertThat(told).isEmpty();
    }

    @Test
    void byForceTheHolderIsToldThatItLost() throws Exception {
        String name = name();
        CompletableFuture<LossEvent> loss = new CompletableFuture<>();
        Lease holder = client().lock(name).with(brief()).acquire();
        holder.onLost(loss::complete);
        assertThat(client().lock(name).forceRelease()).isTrue();
        try (Lease next = client().lock(name).acquire()) {
            LossEvent told = loss.get(20, TimeUnit.SECONDS);
            assertThat(told.cause()).isIn(LossCause.TAKEN_OVER, LossCause.DELETED);
            assertThat(told.fencingToken()).isLessThan(next.fencingToken());
        }
    }
}
