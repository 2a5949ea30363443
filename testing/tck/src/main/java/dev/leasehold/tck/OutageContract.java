package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Failures of Redis or of the network: no lock is taken twice, no lock stays held for a caller that has left, no
 * wait exceeds its time, and "unavailable" is never reported as "busy" or as success.
 */
class OutageContract extends ContractBase {

    private static final Duration COMMAND = Duration.ofMillis(600);

    private Leasehold through(List<FaultProxy> proxies) {
        return client(uri(proxies), builder -> builder.commandTimeout(COMMAND));
    }

    /** Sets a fault of requests for a lock, before each server. */
    private static List<Fault> fault(List<FaultProxy> proxies, String name, Function<FaultSelection, Fault> fault) {
        return proxies.stream()
                .map(proxy -> fault.apply(proxy.matching(request -> request.contains(key(name)))))
                .toList();
    }

    private static void untilOnce(List<Fault> faults) {
        await().untilAsserted(() ->
                assertThat(faults).allSatisfy(fault -> assertThat(fault.count()).isEqualTo(1)));
    }

    @Test
    void aClientStartsThoughTheFirstAnswersTakeLongerThanItsCommandTimeout() throws Exception {
        List<FaultProxy> proxies = proxies();
        // Longer than a connection may be silent, too. A lent client connects within a time of its own.
        Duration delay = Duration.ofMillis(way().isByUri() ? 500 : 200);
        proxies.forEach(proxy -> proxy.delay(Direction.TO_CLIENT, delay));
        Leasehold leasehold =
                client(uri(proxies), builder -> builder.connectTimeout(LIMIT).commandTimeout(Duration.ofMillis(100)));
        proxies.forEach(FaultProxy::heal);
        leasehold.lock(name()).acquire(LIMIT).close();
    }

    @Test
    void anAcquireWhoseReplyIsLostFindsItsOwnHoldOnTheNextTry() throws Exception {
        // hazard 5: acquire executed, reply lost, retried: one hold and not two.
        String name = name();
        List<FaultProxy> proxies = proxies();
        DistributedLock lock = through(proxies).lock(name);
        List<Fault> dropped = fault(proxies, name, FaultSelection::dropNextReplyThenReset);
        try (Lease lease = lock.acquire(Duration.ofSeconds(10))) {
            untilOnce(dropped);
            assertThat(holds(name)).isEqualTo(1);
            lease.ensureHeld();
        }
        isGivenBack(name);
    }

    @Test
    void aCallerThatGaveUpLeavesNothingHeldWhenTheNetworkRecovers() throws Exception {
        // hazard 6: a driver that keeps commands for later would take the lock for a caller that has left.
        String name = name();
        List<FaultProxy> proxies = proxies();
        DistributedLock lock = through(proxies).lock(name);
        proxies.forEach(FaultProxy::refuse);
        proxies.forEach(FaultProxy::reset);
        assertThatThrownBy(lock::tryAcquire)
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining(name);
        proxies.forEach(FaultProxy::heal);
        lock.acquire(Duration.ofSeconds(15)).close();
        isGivenBack(name);
        assertThat(holds(name)).isZero();
    }

    @Test
    void aWaitWithoutAnAnswerReportsHowLongItWasAndNotOnlyItsLastRequest() {
        String name = name();
        List<FaultProxy> proxies = proxies();
        DistributedLock lock = through(proxies).lock(name);
        fault(proxies, name, FaultSelection::holdRequests);
        assertThatThrownBy(() -> lock.tryAcquire(Duration.ofSeconds(2)))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageMatching(
                        ".*gave no answer for (quorum )?lock .* in ([1-9]\\d{3} ms|\\d+\\.\\d s); its last request: .*");
        proxies.forEach(FaultProxy::releaseRequests);
    }

    @Test
    void aRequestThatArrivesAfterItsCallerLeftIsRefusedAsStale() throws Exception {
        // finding 11: a late copy of an acquire must not take the lock for a caller that has left, nor after its
        // own release.
        String name = name();
        List<FaultProxy> proxies = proxies();
        DistributedLock lock = through(proxies).lock(name);
        List<Fault> requests = fault(proxies, name, FaultSelection::holdRequests);
        assertThatThrownBy(lock::tryAcquire)
                .isInstanceOf(LockUnavailableException.class)
                .satisfies(e ->
                        assertThat(((LockUnavailableException) e).mayBeTaken()).isTrue());
        requests.forEach(Fault::cancel);
        server().resetStats();
        proxies.forEach(FaultProxy::releaseRequests);
        await().until(() -> server().commandCounts().getOrDefault("evalsha", 0L) > 0);
        isGivenBack(name);
        assertThat(holds(name)).isZero();
    }

    @Test
    void aDuplicateOfAnAcquireThatArrivesAfterTheReleaseTakesNothing() throws Exception {
        // finding 11: acquire a1, release a1, late duplicate of a1.
        String name = name();
        List<FaultProxy> proxies = proxies();
        Duration limit = Duration.ofMillis(400);
        long created = serverMicros();
        Leasehold leasehold = client(uri(proxies), builder -> builder.commandTimeout(limit));
        List<Fault> recorded = fault(proxies, name, FaultSelection::recordNextRequest);
        Lease lease = leasehold.lock(name).acquire();
        untilOnce(recorded);
        lease.close();
        untilLate(created, limit);
        assertThat(proxies)
                .allSatisfy(proxy -> assertThat(proxy.replayRecorded())
                        .isNotEmpty()
                        .allMatch(reply -> reply.contains("undecided") || reply.contains("stale")));
        assertThat(holds(name)).isZero();
    }

    @Test
    void aReleaseWhoseReplyIsLostIsARelease() throws Exception {
        // finding 19: attempt 1 ran and its reply was lost; attempt 2 says "not yours", and all is well.
        String name = name();
        List<FaultProxy> proxies = proxies();
        Lease lease = through(proxies).lock(name).acquire();
        List<Fault> dropped = fault(proxies, name, FaultSelection::dropNextReplyThenReset);
        lease.release();
        untilOnce(dropped);
        client().lock(name).tryAcquire().orElseThrow().close();
    }

    @Test
    void aReleaseThatGetsNoAnswerEndsInTimeAndIsRepeatedInTheBackground() throws Exception {
        String name = name();
        List<FaultProxy> proxies = proxies();
        Lease lease = through(proxies).lock(name).acquire();
        proxies.forEach(FaultProxy::swallow);
        lease.close();
        assertThat(holds(name)).isEqualTo(1);
        proxies.forEach(FaultProxy::heal);
        isGivenBack(name);
    }

    @Test
    void noWaitExceedsItsTimeWhenTheNetworkIsABlackHoleAndWorkContinuesOverANewConnection() throws Exception {
        // hazard 42: half-open connections block for minutes elsewhere.
        String name = name();
        List<FaultProxy> proxies = proxies();
        Leasehold leasehold = through(proxies);
        leasehold.lock(name).acquire().close();
        proxies.forEach(FaultProxy::swallow);
        CompletableFuture<Boolean> trying = inThread(() -> {
            assertThatThrownBy(() -> leasehold.lock(name).tryAcquire(Duration.ofMillis(900)))
                    .isInstanceOf(LockUnavailableException.class);
            return true;
        });
        assertThat(trying.get(10, TimeUnit.SECONDS)).isTrue();
        proxies.forEach(FaultProxy::heal);
        // The swallowed bytes are lost; the old connections are half open and must not be relied on.
        leasehold.lock(name).acquire(Duration.ofSeconds(15)).close();
        isGivenBack(name);
    }

    @Test
    void aSilentConnectionIsReplacedThoughNoCallerWaitsLong() throws Exception {
        String name = name();
        List<FaultProxy> proxies = proxies();
        DistributedLock lock = client(uri(proxies), builder -> {}).lock(name);
        lock.acquire().close();
        SilentConnectionContract.isAcquiredInTheEnd(SilentConnectionContract.silence(proxies, name), lock);
    }

    @Test
    void aRenewalThatIsSwallowedIsTriedAgainOverANewConnectionBeforeTheDeadline() throws Exception {
        // hazard 42: the second attempt uses another connection.
        String name = name();
        List<FaultProxy> proxies = proxies();
        AtomicInteger renewals = new AtomicInteger();
        Leasehold leasehold =
                client(uri(proxies), builder -> builder.commandTimeout(COMMAND).listener(counting(renewals)));
        try (Lease lease = leasehold.lock(name).with(renewedSoon()).acquire()) {
            // Until then an answer of a server of a quorum, to the acquisition, may be on its way.
            await().until(() -> renewals.get() > 1);
            List<Long> opened =
                    proxies.stream().map(FaultProxy::connectionsOpened).toList();
            List<Fault> dropped = fault(proxies, name, FaultSelection::dropNextReplyThenSilence);
            untilOnce(dropped);
            for (int i = 0; i < proxies.size(); i++) {
                FaultProxy proxy = proxies.get(i);
                long before = opened.get(i);
                await().until(() -> proxy.connectionsOpened() > before);
            }
            int before = renewals.get();
            await().until(() -> renewals.get() > before);
            lease.ensureHeld();
        }
    }
}
