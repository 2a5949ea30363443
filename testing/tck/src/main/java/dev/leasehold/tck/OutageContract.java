package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.OwnedLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Failures of Redis or of the network: no lock is taken twice, no lock stays held for a caller that has left, no
 * wait exceeds its time, and "unavailable" is never reported as "busy" or as success.
 */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "it cuts off one server")
@Except(value = Topology.TLS_AND_ACL, because = "the fault proxy reads what is sent")
class OutageContract extends ContractBase {

    private static final Duration COMMAND = Duration.ofMillis(600);

    private Leasehold through(FaultProxy proxy) {
        return client(proxy.uri(), builder -> builder.commandTimeout(COMMAND));
    }

    private static FaultSelection of(FaultProxy proxy, String name) {
        return proxy.matching(request -> request.contains(key(name)));
    }

    @Test
    void aClientStartsThoughTheFirstAnswersTakeLongerThanItsCommandTimeout() throws Exception {
        FaultProxy proxy = proxy();
        proxy.delay(Direction.TO_CLIENT, Duration.ofMillis(300));
        Leasehold leasehold =
                client(proxy.uri(), builder -> builder.connectTimeout(LIMIT).commandTimeout(Duration.ofMillis(100)));
        proxy.heal();
        leasehold.lock(name()).acquire(LIMIT).close();
    }

    @Test
    void anAcquireWhoseReplyIsLostFindsItsOwnHoldOnTheNextTry() throws Exception {
        // hazard 5: acquire executed, reply lost, retried: one hold and not two.
        String name = name();
        FaultProxy proxy = proxy();
        OwnedLock lock = through(proxy).lock(name).ownedBy("o");
        Fault dropped = of(proxy, name).dropNextReplyThenReset();
        try (Lease lease = lock.acquire(Duration.ofSeconds(10))) {
            assertThat(dropped.count()).isEqualTo(1);
            assertThat(holds(name)).isEqualTo(1);
            lease.ensureHeld();
        }
        isGivenBack(name);
    }

    @Test
    void aHitOnOnesOwnHoldIsValidOnlyForWhatIsLeftOfIt() throws Exception {
        // finding 1: validity counted in full from the retry would outlast the hold.
        String name = name();
        FaultProxy proxy = proxy();
        Leasehold leasehold = client(proxy.uri(), builder -> builder.commandTimeout(Duration.ofSeconds(1)));
        of(proxy, name).dropNextReply();
        Lease lease = leasehold.lock(name).with(unrenewed(4000)).acquire(Duration.ofSeconds(10));
        long leftMicros = holdEnd(name) - serverMicros();
        assertThat(leftMicros).isLessThan(3_100_000);
        assertThat(lease.remaining()).isLessThan(Duration.ofMillis(3100));
        lease.close();
    }

    @Test
    void aCallerThatGaveUpLeavesNothingHeldWhenTheNetworkRecovers() throws Exception {
        // hazard 6: a driver that keeps commands for later would take the lock for a caller that has left.
        String name = name();
        FaultProxy proxy = proxy();
        DistributedLock lock = through(proxy).lock(name);
        proxy.refuse();
        proxy.reset();
        assertThatThrownBy(lock::tryAcquire)
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining(name);
        proxy.heal();
        lock.acquire(Duration.ofSeconds(15)).close();
        isGivenBack(name);
        assertThat(holds(name)).isZero();
    }

    @Test
    void aWaitWithoutAnAnswerReportsHowLongItWasAndNotOnlyItsLastRequest() {
        String name = name();
        FaultProxy proxy = proxy();
        DistributedLock lock = through(proxy).lock(name);
        of(proxy, name).holdRequests();
        assertThatThrownBy(() -> lock.tryAcquire(Duration.ofSeconds(2)))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageMatching(
                        ".*gave no answer for lock .* in ([1-9]\\d{3} ms|\\d+\\.\\d s); its last request: .*");
        proxy.releaseRequests();
    }

    @Test
    void aRequestThatArrivesAfterItsCallerLeftIsRefusedAsStale() throws Exception {
        // finding 11: a late copy of an acquire must not take the lock for a caller that has left, nor after its
        // own release.
        String name = name();
        FaultProxy proxy = proxy();
        DistributedLock lock = through(proxy).lock(name);
        Fault requests = of(proxy, name).holdRequests();
        assertThatThrownBy(lock::tryAcquire)
                .isInstanceOf(LockUnavailableException.class)
                .satisfies(e ->
                        assertThat(((LockUnavailableException) e).mayBeTaken()).isTrue());
        requests.cancel();
        server().resetStats();
        proxy.releaseRequests();
        await().until(() -> server().commandCounts().getOrDefault("evalsha", 0L) > 0);
        isGivenBack(name);
        assertThat(holds(name)).isZero();
    }

    @Test
    void aDuplicateOfAnAcquireThatArrivesAfterTheReleaseTakesNothing() throws Exception {
        // finding 11: acquire a1, release a1, late duplicate of a1.
        String name = name();
        FaultProxy proxy = proxy();
        Leasehold leasehold = client(proxy.uri(), builder -> builder.commandTimeout(Duration.ofMillis(400)));
        Fault recorded = of(proxy, name).recordNextRequest();
        Lease lease = leasehold.lock(name).acquire();
        assertThat(recorded.count()).isEqualTo(1);
        lease.close();
        long sent = serverMicros();
        await().until(() -> serverMicros() > sent + 600_000);
        assertThat(proxy.replayRecorded()).anyMatch(reply -> reply.contains("undecided"));
        assertThat(holds(name)).isZero();
    }

    @Test
    void aReleaseWhoseReplyIsLostIsARelease() throws Exception {
        // finding 19: attempt 1 ran and its reply was lost; attempt 2 says "not yours", and all is well.
        String name = name();
        FaultProxy proxy = proxy();
        Lease lease = through(proxy).lock(name).acquire();
        Fault dropped = of(proxy, name).dropNextReplyThenReset();
        lease.release();
        assertThat(dropped.count()).isEqualTo(1);
        client().lock(name).tryAcquire().orElseThrow().close();
    }

    @Test
    void aReleaseThatGetsNoAnswerEndsInTimeAndIsRepeatedInTheBackground() throws Exception {
        String name = name();
        FaultProxy proxy = proxy();
        Lease lease = through(proxy).lock(name).acquire();
        proxy.swallow();
        lease.close();
        assertThat(holds(name)).isEqualTo(1);
        proxy.heal();
        isGivenBack(name);
    }

    @Test
    void noWaitExceedsItsTimeWhenTheNetworkIsABlackHoleAndWorkContinuesOverANewConnection() throws Exception {
        // hazard 42: half-open connections block for minutes elsewhere.
        String name = name();
        FaultProxy proxy = proxy();
        Leasehold leasehold = through(proxy);
        leasehold.lock(name).acquire().close();
        proxy.swallow();
        CompletableFuture<Boolean> trying = inThread(() -> {
            assertThatThrownBy(() -> leasehold.lock(name).tryAcquire(Duration.ofMillis(900)))
                    .isInstanceOf(LockUnavailableException.class);
            return true;
        });
        assertThat(trying.get(10, TimeUnit.SECONDS)).isTrue();
        proxy.heal();
        // The swallowed bytes are lost; the old connections are half open and must not be relied on.
        leasehold.lock(name).acquire(Duration.ofSeconds(15)).close();
        isGivenBack(name);
    }

    @Test
    void aRenewalThatIsSwallowedIsTriedAgainOverANewConnectionBeforeTheDeadline() throws Exception {
        // hazard 42: the second attempt uses another connection.
        String name = name();
        FaultProxy proxy = proxy();
        AtomicInteger renewals = new AtomicInteger();
        Leasehold leasehold =
                client(proxy.uri(), builder -> builder.commandTimeout(COMMAND).listener(counting(renewals)));
        try (Lease lease = leasehold.lock(name).with(renewedSoon()).acquire()) {
            long opened = proxy.connectionsOpened();
            Fault dropped = of(proxy, name).dropNextReplyThenSilence();
            await().until(() -> dropped.count() == 1 && proxy.connectionsOpened() > opened);
            int before = renewals.get();
            await().until(() -> renewals.get() > before);
            lease.ensureHeld();
        }
    }
}
