package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Acquirable;
import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedSemaphore;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.event.ReleaseRequestedEvent;
import dev.leasehold.interop.Formats;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.recipes.Latches;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/**
 * A connection that stays open and answers nothing is replaced, however short the waits over it are: how long it has been asked
 * and silent decides, not how long each caller waits.
 */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "a quorum has one kind of lock, with which `OutageContract` tests the same")
class SilentConnectionContract extends ContractBase {

    private static final Duration SHORT = Duration.ofMillis(60);

    /** Returns a client whose connections lead through proxies. */
    private Leasehold through(List<FaultProxy> proxies) {
        return client(uri(proxies), options -> {});
    }

    /** Acquires once, so that connections are open; a connection is silent from the next reply about the name on. */
    private <L extends Lease> void isAcquiredOverANewConnection(BiFunction<Leasehold, String, Acquirable<L>> kind)
            throws InterruptedException {
        String name = name();
        List<FaultProxy> proxies = proxies();
        Acquirable<L> lock = kind.apply(through(proxies), name);
        lock.acquire().close();
        isAcquiredInTheEnd(silence(proxies, name), lock);
    }

    /** Drops the next reply to a request about the name, and all replies after it on that connection. */
    static List<Fault> silence(List<FaultProxy> proxies, String name) {
        return proxies.stream()
                .map(proxy -> proxy.matching(request -> request.contains(name)).dropNextReplyThenSilence())
                .toList();
    }

    /** Short waits follow one another until one is answered, over a new connection. */
    static void isAnsweredInTheEnd(List<Fault> silences, Callable<Boolean> shortWait) {
        await().ignoreException(LockUnavailableException.class)
                .until(() -> shortWait.call() && silences.stream().anyMatch(fault -> fault.count() == 1));
    }

    static <L extends Lease> void isAcquiredInTheEnd(List<Fault> silences, Acquirable<L> lock) {
        isAnsweredInTheEnd(silences, () -> {
            Optional<L> lease = lock.tryAcquire(SHORT);
            lease.ifPresent(Lease::close);
            return lease.isPresent();
        });
    }

    @Test
    void aFairLockIsAcquired() throws Exception {
        isAcquiredOverANewConnection((leasehold, name) -> leasehold.fairLock(name));
    }

    @Test
    void aReaderAcquiresTheLock() throws Exception {
        isAcquiredOverANewConnection(
                (leasehold, name) -> leasehold.readWriteLock(name).readLock());
    }

    @Test
    void aNamedOwnerAcquiresTheLock() throws Exception {
        isAcquiredOverANewConnection((leasehold, name) -> leasehold.lock(name).ownedBy("order 7"));
    }

    @Test
    void aPlainLockIsAcquired() throws Exception {
        isAcquiredOverANewConnection((leasehold, name) -> leasehold.lock(name, Formats.plain()));
    }

    @Test
    void permitsAreAcquired() throws Exception {
        isAcquiredOverANewConnection((leasehold, name) -> leasehold.semaphore(name, 3));
    }

    @Test
    void severalLocksAreAcquired() throws Exception {
        isAcquiredOverANewConnection((leasehold, name) -> leasehold.allOf(name, name + ":b"));
    }

    @Test
    void aLatchIsAwaited() throws Exception {
        String name = name();
        List<FaultProxy> proxies = proxies();
        DistributedLatch latch = Latches.of(through(proxies)).latch(name);
        assertThat(latch.trySet(1, Duration.ofMinutes(5))).isTrue();
        isAnsweredInTheEnd(silence(proxies, name), () -> !latch.await(SHORT));
    }

    @Test
    void aWaiterHearsThatTheLockIsBusy() throws Exception {
        String name = name();
        List<FaultProxy> proxies = proxies();
        DistributedLock lock = through(proxies).lock(name);
        lock.acquire().close();
        try (Lease held = client().lock(name).acquire()) {
            assertThat(lock.tryAcquire()).isEmpty();
            isAnsweredInTheEnd(
                    silence(proxies, name), () -> lock.tryAcquire(SHORT).isEmpty());
        }
    }

    @Test
    void aRequestToReleaseReachesTheHolder() throws Exception {
        String name = name();
        List<FaultProxy> proxies = proxies();
        DistributedLock lock = through(proxies).lock(name);
        CompletableFuture<ReleaseRequestedEvent> requested = new CompletableFuture<>();
        try (Lease held = client().lock(name).with(renewedSoon()).acquire()) {
            held.onReleaseRequested(requested::complete);
            assertThat(lock.tryAcquire()).isEmpty();
            isAnsweredInTheEnd(silence(proxies, name), lock::requestRelease);
            await().until(requested::isDone);
        }
    }

    @Test
    void stagesThatAreCancelledReplaceTheConnectionToo() throws Exception {
        String name = name();
        List<FaultProxy> proxies = proxies();
        DistributedSemaphore permits = through(proxies).semaphore(name, 3);
        permits.acquire().close();
        isAnsweredInTheEnd(silence(proxies, name), () -> {
            CompletableFuture<? extends Lease> stage = permits.acquireAsync().toCompletableFuture();
            try {
                stage.get(SHORT.toMillis(), TimeUnit.MILLISECONDS).close();
                return true;
            } catch (TimeoutException e) {
                return !stage.cancel(false) && release(stage);
            }
        });
    }

    private static boolean release(CompletableFuture<? extends Lease> stage)
            throws InterruptedException, ExecutionException {
        stage.get().close();
        return true;
    }
}
