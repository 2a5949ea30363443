package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.Renewal;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.spi.ServerDescription.Capability;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A client that starts while Redis cannot be reached: it exists at once, is unavailable, and works when Redis is there. */
class LateStartContract extends ContractBase {

    private Leasehold away(List<FaultProxy> proxies) {
        proxies.forEach(FaultProxy::refuse);
        return closing(builder(uri(proxies))
                .startWithoutRedis(true)
                .outageTolerance(LIMIT)
                .build());
    }

    @Test
    void callsAreUnavailableUntilRedisIsThereAndWhatWaitsGoesOnByItself() throws Exception {
        String name = name();
        List<FaultProxy> proxies = proxies();
        Leasehold leasehold = away(proxies);
        DistributedLock lock = leasehold.lock(name);
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(LockUnavailableException.class);
        CompletableFuture<Lease> waiter = lock.acquireAsync(LIMIT).toCompletableFuture();
        proxies.forEach(FaultProxy::heal);
        try (Lease lease = waiter.get(1, TimeUnit.MINUTES)) {
            lease.ensureHeld();
            assertThat(client().lock(name).tryAcquire()).isEmpty();
        }
        client().lock(name).acquire(LIMIT).close();
    }

    @Test
    void whatNeedsTheServerAfterALateStartWorksAsAfterAnyOther() throws Exception {
        String name = name();
        List<FaultProxy> proxies = proxies();
        Leasehold leasehold = away(proxies);
        proxies.forEach(FaultProxy::heal);
        Lease before = leasehold.lock(name).acquire(LIMIT);
        if (!topology().isQuorum()) {
            CompletableFuture<Lease> next = waiter(client().lock(name));
            untilWaiting(name, 1);
            before.close();
            CompletableFuture<Lease> woken = waiter(leasehold.lock(name));
            untilWaiting(name, 1);
            granted(next).close();
            before = granted(woken);
        }
        assertThat(before.fencingToken()).isPositive();
        before.close();

        if (!topology().isQuorum() && can(Capability.TRACKS_KEYS)) {
            // Nothing else tells of it in this hour.
            LockOptions unrenewed = LockOptions.builder()
                    .leaseTime(Duration.ofHours(1))
                    .renewal(Renewal.none())
                    .build();
            Lease lease = leasehold.lock(name).with(unrenewed).acquire(LIMIT);
            CompletableFuture<LossEvent> loss = new CompletableFuture<>();
            lease.onLost(loss::complete);
            await().until(() -> {
                delete(key(name));
                return loss.isDone();
            });
            assertThat(loss.join().cause()).isEqualTo(LossCause.DELETED);
        }
    }

    @Test
    void aClientThatIsClosedBeforeItReachesRedisEndsWhatWaits() throws Exception {
        List<FaultProxy> proxies = proxies();
        Leasehold leasehold = away(proxies);
        CompletableFuture<Lease> waiter =
                leasehold.lock(name()).acquireAsync(LIMIT).toCompletableFuture();
        leasehold.close();
        assertThatThrownBy(() -> waiter.get(1, TimeUnit.MINUTES)).hasRootCauseInstanceOf(IllegalStateException.class);
        proxies.forEach(FaultProxy::heal);
        assertThatThrownBy(() -> leasehold.lock(name())).isInstanceOf(IllegalStateException.class);
    }
}
