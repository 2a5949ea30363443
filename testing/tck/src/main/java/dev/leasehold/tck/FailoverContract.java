package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedSemaphore;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedSentinel;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.WithRedisSentinel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Leases on a primary that sentinels monitor, during a failover. */
@WithRedisSentinel(downAfterMillis = FailoverContract.SLOW_DETECTION)
@On(Topology.SENTINEL)
class FailoverContract extends AnyContract {

    /** A machine that stands still for less causes no failover. */
    static final int SLOW_DETECTION = 5_000;

    private static final int FAST_DETECTION = 1_000;
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration LEASE_THAT_LASTS = Duration.ofSeconds(6);
    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(500);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private EmbeddedSentinel redis;

    /**
     * Sets the servers.
     *
     * @param started started for the class, and usable again
     */
    @BeforeEach
    protected void take(EmbeddedSentinel started) {
        redis = started;
        detectAfter(SLOW_DETECTION);
    }

    /** Sets after how long without an answer the sentinels consider a server down. */
    private void detectAfter(int millis) {
        for (EmbeddedRedis sentinel : redis.sentinels()) {
            sentinel.command("SENTINEL", "SET", "mymaster", "down-after-milliseconds", Integer.toString(millis));
        }
    }

    /** Closes the test's resources, the last first. */
    @AfterEach
    protected void closeAll() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    /**
     * Returns the servers.
     *
     * @return shared by the class
     */
    protected final EmbeddedSentinel redis() {
        return redis;
    }

    /**
     * Registers a resource that is closed after the test.
     *
     * @param resource the resource
     * @return the same
     * @param <T> its type
     */
    protected final <T extends AutoCloseable> T closing(T resource) {
        opened.push(resource);
        return resource;
    }

    private Leasehold client() {
        return client(new AtomicInteger());
    }

    private Leasehold client(AtomicInteger renewals) {
        return closing(builder().listener(ContractBase.counting(renewals)).build());
    }

    private LeaseholdBuilder builder() {
        return Leasehold.builder().uri(redis.uri()).preflight(Preflight.OFF).commandTimeout(COMMAND_TIMEOUT);
    }

    private static DistributedLock lock(Leasehold client, String name) {
        return lock(client, name, LEASE);
    }

    private static DistributedLock lock(Leasehold client, String name, Duration lease) {
        return client.lock(name).with(LockOptions.builder().leaseTime(lease).build());
    }

    /** Returns the lease if the lock could be acquired; unavailability is retried. */
    private static Lease acquired(DistributedLock lock) {
        List<Lease> leases = new ArrayList<>();
        ContractBase.await()
                .ignoreExceptionsInstanceOf(LockUnavailableException.class)
                .until(() -> {
                    leases.add(lock.acquire(Duration.ofSeconds(1)));
                    return true;
                });
        return leases.get(0);
    }

    private static String field(EmbeddedRedis node, String name, String field) {
        return String.valueOf(node.command("HGET", ContractBase.key(name), field));
    }

    @Test
    void aLeaseOutlivesAFailOverAndAWaiterIsWokenByTheNewPrimary() throws Exception {
        AtomicInteger renewals = new AtomicInteger();
        EmbeddedRedis former = redis.primary();
        // A confirmation by the former primary after its successor took over does not count there.
        Lease lease = lock(client(renewals), "moved", LEASE_THAT_LASTS).acquire();
        // No time passes for it, so it does not poll.
        Leasehold waiting = closing(builder().timer(ManualClock.create()).build());
        CompletableFuture<Lease> waiter = lock(waiting, "moved").acquireAsync().toCompletableFuture();
        ContractBase.await().until(() -> field(former, "moved", "wn").equals("1"));
        EmbeddedRedis next = redis.failOver();
        int before = renewals.get();
        ContractBase.await().until(() -> renewals.get() > before);
        lease.ensureHeld();
        assertThat(field(next, "moved", "own")).isEqualTo(field(former, "moved", "own"));
        lease.release();
        assertThat(ContractBase.granted(waiter).fencingToken()).isGreaterThan(lease.fencingToken());
    }

    @Test
    void readersHaveOneTokenAfterAFailOverThatKeptTheirHolds() throws Exception {
        Leasehold client = client();
        LockOptions lasting = LockOptions.builder().leaseTime(LEASE_THAT_LASTS).build();
        DistributedLock read = client.readWriteLock("read").readLock().with(lasting);
        Lease writer = client.readWriteLock("read").writeLock().with(lasting).acquire();
        EmbeddedRedis former = redis.primary();
        CompletableFuture<Lease> waiter = read.acquireAsync().toCompletableFuture();
        ContractBase.await().until(() -> field(former, "read", "wn").equals("1"));
        writer.release();
        // Mostly under the hold of the writer, which becomes a hold of readers.
        Lease reader = ContractBase.granted(waiter);
        ContractBase.await().until(() -> field(former, "read", "own").equals("r"));
        redis.failOver();
        Lease later = acquired(client().readWriteLock("read").readLock().with(lasting));
        reader.ensureHeld();
        assertThat(later.fencingToken()).isEqualTo(reader.fencingToken());
        Lease own = acquired(client.readWriteLock("read").readLock().with(LockOptions.defaults()));
        assertThat(own.fencingToken()).isEqualTo(reader.fencingToken());
    }

    @Test
    void aPrimaryThatIsFrozenIsLeftForItsSuccessor() throws Exception {
        AtomicInteger renewals = new AtomicInteger();
        Leasehold client = client(renewals);
        long before = acquireAndRelease(lock(client, "frozen"));
        EmbeddedRedis former = redis.primary();
        detectAfter(FAST_DETECTION);
        former.pause();
        redis.awaitSuccessor(former);
        Lease lease = acquired(lock(client, "frozen"));
        assertThat(lease.fencingToken()).isGreaterThan(before);
        ContractBase.await().until(() -> renewals.get() >= 2);
        former.resume();
        lease.release();
    }

    private static long acquireAndRelease(DistributedLock lock) throws InterruptedException {
        Lease lease = lock.acquire();
        lease.release();
        return lease.fencingToken();
    }

    /** From now on the replicas follow a server that does not exist, until a sentinel reconfigures them, and keep their data. */
    private void stopReplication() {
        redis.replicas().forEach(replica -> replica.command("REPLICAOF", "127.0.0.1", "1"));
    }

    @Test
    void aHoldThatWasNotReplicatedIsLostAndReportedAndItsTokenIsExceeded() throws Exception {
        Leasehold holder = client();
        Leasehold other = client();
        acquireAndRelease(lock(other, "before"));
        EmbeddedRedis former = redis.primary();
        stopReplication();
        Lease lease = lock(holder, "lost").acquire();
        detectAfter(FAST_DETECTION);
        former.kill();
        AtomicInteger losses = new AtomicInteger();
        lease.onLost(event -> losses.incrementAndGet());
        redis.awaitSuccessor(former);
        Lease later = acquired(lock(other, "lost"));
        assertThat(later.fencingToken()).isGreaterThan(lease.fencingToken());
        ContractBase.await().until(() -> losses.get() == 1);
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
        later.ensureHeld();
    }

    private static int available(DistributedSemaphore semaphore) {
        return ContractBase.await()
                .ignoreExceptionsInstanceOf(LockUnavailableException.class)
                .until(semaphore::availablePermits, number -> true);
    }

    @Test
    void aChangedNumberOfPermitsOutlivesAFailoverAndAChangeThatWasNotReplicatedIsUndone() throws Exception {
        DistributedSemaphore semaphore = client().semaphore("permits", 2);
        LockOptions lasting =
                LockOptions.builder().leaseTime(Duration.ofMinutes(5)).build();
        Lease held = semaphore.with(lasting).acquire();
        assertThat(semaphore.changePermits(3)).isEqualTo(2);
        EmbeddedRedis former = redis.failOver();
        assertThat(available(semaphore)).isEqualTo(2);
        redis.awaitHealthy();

        stopReplication();
        assertThat(semaphore.changePermits(5)).isEqualTo(3);
        assertThat(available(semaphore)).isEqualTo(4);
        detectAfter(FAST_DETECTION);
        former.kill();
        redis.awaitSuccessor(former);
        assertThat(available(semaphore)).isEqualTo(2);
        held.ensureHeld();
        // The number may be changed again.
        assertThat(semaphore.changePermits(5)).isEqualTo(3);
        assertThat(available(semaphore)).isEqualTo(4);
    }

    @Test
    @Tag("long")
    void eightProcessesThatContendGoOnWhenThePrimaryIsKilled() {
        Contenders contenders = closing(Contenders.start(redis.uri(), "contended", LEASE));
        EmbeddedRedis former = redis.primary();
        detectAfter(FAST_DETECTION);
        long killed = System.nanoTime();
        former.kill();
        redis.awaitSuccessor(former);
        contenders.allHaveATurn();
        contenders.judge("the primary was killed", killed, true);
    }
}
