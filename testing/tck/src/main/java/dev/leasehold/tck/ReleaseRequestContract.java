package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleaseRequestedEvent;
import dev.leasehold.interop.Formats;
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

/**
 * Release requests: the holder receives one at its renewal, and may ignore it. By force the holder is notified that
 * it lost the lock.
 */
@Except(
        value = {
            Topology.TLS_AND_ACL,
            Topology.SENTINEL,
            Topology.CLUSTER,
            Topology.QUORUM_ONE_DEAD,
            Topology.QUORUM_ONE_FROZEN
        },
        because = "it tests the engine, which is the same on every topology")
class ReleaseRequestContract extends ContractBase {

    private final Queue<ReleaseRequestedEvent> reported = new ConcurrentLinkedQueue<>();

    /** Clears the events: one object serves all tests of the class. */
    @BeforeEach
    void clearEvents() {
        reported.clear();
    }

    private Lease listening(Lease lease) {
        lease.onReleaseRequested(reported::add);
        return lease;
    }

    @Test
    void theHolderReceivesARequestAndTheWaiterHasTheLockWhenItReleases() throws Exception {
        String name = name();
        Lease holder = client().lock(name).with(renewedSoon()).acquire();
        CompletableFuture<ReleaseRequestedEvent> requested = new CompletableFuture<>();
        holder.onReleaseRequested(event -> {
            requested.complete(event);
            holder.release();
        });
        DistributedLock wanted = client().lock(name);
        CompletableFuture<Lease> waiter = waiter(wanted);
        untilWaiting(name, 1);
        assertThat(wanted.requestRelease()).isTrue();
        assertThat(requested.get(1, TimeUnit.MINUTES))
                .isEqualTo(new ReleaseRequestedEvent(name, holder.owner(), holder.fencingToken()));
        assertThat(granted(waiter).fencingToken()).isGreaterThan(holder.fencingToken());
    }

    @Test
    void aHolderThatContinuesReceivesOneEventForManyRequestsAndStaysTheHolder() throws Exception {
        String name = name();
        Lease holder = listening(client().lock(name).with(renewedSoon()).acquire());
        assertThat(client().lock(name).requestRelease()).isTrue();
        await().until(() -> reported.size() == 1);
        assertThat(client().lock(name).requestRelease()).isTrue();
        long end = holdEnd(name);
        await().until(() -> holdEnd(name) > end + 600_000);
        assertThat(reported).hasSize(1);
        listening(holder);
        await().until(() -> reported.size() == 2);
        holder.ensureHeld();
    }

    @Test
    void aRequestEndsWithTheHoldAndAFreeLockHasNoReceiver() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        assertThat(lock.requestRelease()).isFalse();
        Lease first = client().lock(name).acquire();
        assertThat(lock.requestRelease()).isTrue();
        first.close();
        assertThat(lock.requestRelease()).isFalse();
        try (Lease second = listening(client().lock(name).with(renewedSoon()).acquire())) {
            long end = holdEnd(name);
            await().until(() -> holdEnd(name) > end);
            assertThat(reported).isEmpty();
            second.ensureHeld();
        }
    }

    @Test
    void withoutAWaitingThreadTheHolderReceivesARequestAsWell() throws Exception {
        String name = name();
        Leasehold asking = client();
        DistributedLock lock = asking.lock(name);
        assertThat(requested(lock.requestReleaseAsync())).isFalse();
        Lease holder = listening(client().lock(name).with(renewedSoon()).acquire());
        assertThat(requested(lock.requestReleaseAsync())).isTrue();
        await().until(() -> reported.size() == 1);
        assertThat(reported.element().fencingToken()).isEqualTo(holder.fencingToken());
        assertThat(requested(asking.readWriteLock(name).readLock().requestReleaseAsync()))
                .isTrue();
        assertThatThrownBy(() -> asking.lock(name, Formats.plain()).requestReleaseAsync())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(name);
        asking.close();
        assertThatThrownBy(() -> requested(lock.requestReleaseAsync()))
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    private static boolean requested(CompletionStage<Boolean> stage) throws Exception {
        return stage.toCompletableFuture().get(1, TimeUnit.MINUTES);
    }

    @Test
    void allReadersReceiveARequestEvenIfTheyShareAHold() throws Exception {
        String name = name();
        DistributedReadWriteLock here = client().readWriteLock(name);
        List<Lease> readers = new ArrayList<>();
        for (DistributedReadWriteLock lock : List.of(here, here, client().readWriteLock(name))) {
            readers.add(listening(lock.readLock().with(renewedSoon()).acquire()));
        }
        assertThat(client().readWriteLock(name).writeLock().requestRelease()).isTrue();
        await().until(() -> reported.size() == 3);
        readers.forEach(Lease::ensureHeld);
    }

    @Test
    void allHoldsOfANamedOwnerReceiveARequest() throws Exception {
        String name = name();
        Lease one =
                listening(client().lock(name).ownedBy("job").with(renewedSoon()).acquire());
        Lease other =
                listening(client().lock(name).ownedBy("job").with(renewedSoon()).acquire());
        assertThat(client().lock(name).requestRelease()).isTrue();
        await().until(() -> reported.size() == 2);
        assertThat(reported).extracting(ReleaseRequestedEvent::owner).containsOnly("job");
        one.close();
        other.close();
    }

    @Test
    void ofSeveralLocksTheOneThatIsWantedIsNamed() throws Exception {
        String name = name();
        try (Lease several = listening(client().allOf(name + ":1", name + ":2", name + ":3")
                .with(renewedSoon())
                .acquire())) {
            assertThat(client().lock(name + ":2").requestRelease()).isTrue();
            await().until(() -> reported.size() == 1);
            assertThat(reported.element().lockName()).isEqualTo(name + ":2");
            several.ensureHeld();
            several.onReleaseRequested(reported::add);
            await().until(() -> reported.size() == 2);
        }
    }

    @Test
    void amongManyRenewedTogetherOnlyTheRequestedOneReceivesTheRequest() throws Exception {
        String name = name();
        Leasehold leasehold = client();
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            leases.add(
                    listening(leasehold.lock(name + ":" + i).with(renewedSoon()).acquire()));
        }
        assertThat(client().lock(name + ":7").requestRelease()).isTrue();
        await().until(() -> !reported.isEmpty());
        long end = holdEnd(name + ":7");
        await().until(() -> holdEnd(name + ":7") > end);
        assertThat(reported).extracting(ReleaseRequestedEvent::lockName).containsExactly(name + ":7");
        leases.forEach(Lease::ensureHeld);
    }

    @Test
    void aLeaseThatIsNotRenewedReceivesARequestWhenItIsExtended() throws Exception {
        String name = name();
        Lease holder = listening(client().lock(name).with(unrenewed(20_000)).acquire());
        assertThat(client().lock(name).requestRelease()).isTrue();
        assertThat(holder.extend(Duration.ofSeconds(1))).isTrue();
        await().until(() -> reported.size() == 1);
    }

    @Test
    void aPlainLockSupportsNoReleaseRequest() throws Exception {
        String name = name();
        try (Lease plain = listening(client().lock(name, Formats.plain()).acquire())) {
            assertThatThrownBy(() -> client().lock(name, Formats.plain()).requestRelease())
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining(name);
            plain.ensureHeld();
        }
        assertThat(reported).isEmpty();
    }

    @Test
    void aForcedReleaseNotifiesTheHolderOfItsLoss() throws Exception {
        String name = name();
        CompletableFuture<LossEvent> loss = new CompletableFuture<>();
        Lease holder = client().lock(name).with(renewedSoon()).acquire();
        holder.onLost(loss::complete);
        assertThat(client().lock(name).forceRelease()).isTrue();
        try (Lease next = client().lock(name).acquire()) {
            LossEvent reported = loss.get(1, TimeUnit.MINUTES);
            assertThat(reported.cause()).isIn(LossCause.TAKEN_OVER, LossCause.DELETED);
            assertThat(reported.fencingToken()).isLessThan(next.fencingToken());
        }
    }
}
