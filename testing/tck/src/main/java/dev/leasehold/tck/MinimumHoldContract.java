package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

/** A lock with a minimum hold that is released before stays held in Redis until the minimum is over. */
@Except(
        value = {Topology.TLS_AND_ACL, Topology.SENTINEL, Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "it tests the engine, which is the same on every topology")
class MinimumHoldContract extends ContractBase {

    private static final long MINIMUM_MICROS = 2_000_000;
    private static final LockOptions KEPT =
            LockOptions.builder().minHold(Duration.ofSeconds(2)).build();

    /** By how much the clock of the client, which is monotonic, may differ from that of Redis within the minimum. */
    private static final long CLOCKS_MICROS = 50_000;

    @Test
    void aReleaseBeforeTheMinimumEndsTheLeaseAndNotTheHold() {
        String name = name();
        DistributedLock lock = client().lock(name).with(KEPT);
        long before = serverMicros();
        Lease lease = lock.tryAcquire().orElseThrow();
        lease.release();
        long end = holdEnd(name);
        assertThat(lease.isHeld()).isFalse();
        assertThat(end - before).isGreaterThanOrEqualTo(MINIMUM_MICROS - CLOCKS_MICROS);
        assertThat(end - serverMicros()).isLessThanOrEqualTo(MINIMUM_MICROS);
        Leasehold other = client();
        Lease next = await().until(() -> other.lock(name).tryAcquire(), taken -> taken.isPresent())
                .orElseThrow();
        assertThat(serverMicros() - before).isGreaterThanOrEqualTo(MINIMUM_MICROS - CLOCKS_MICROS);
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
    }

    @Test
    void waitersOfAllClientsGetTheLockWhenTheMinimumIsOver() {
        String name = name();
        DistributedLock lock = client().lock(name).with(KEPT);
        long before = serverMicros();
        Lease lease = lock.tryAcquire().orElseThrow();
        CompletableFuture<Lease> own = waiter(lock);
        CompletableFuture<Lease> others = waiter(client().lock(name));
        untilWaiting(name, 2);
        lease.release();
        soon().until(() -> own.isDone() || others.isDone());
        assertThat(serverMicros() - before).isGreaterThanOrEqualTo(MINIMUM_MICROS - CLOCKS_MICROS);
        CompletableFuture<Lease> first = own.isDone() ? own : others;
        granted(first).release();
        granted(first == own ? others : own).release();
    }

    @Test
    void aWriterThatBecameAReaderKeepsWritersOutUntilTheMinimumIsOver() {
        String name = name();
        Leasehold client = client();
        long before = serverMicros();
        Lease writer = client.lock(name).with(KEPT).tryAcquire().orElseThrow();
        Lease reader = client.readWriteLock(name).downgrade(writer);
        reader.release();
        assertThat(reader.isHeld()).isFalse();
        assertKeptFromWriters(name, before, reader);
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry") // the write side is unlocked first
    void soDoesAThreadThatUnlocksTheWriteSideFirst() {
        String name = name();
        Leasehold client = client();
        Lock write = client.lock(name).with(KEPT);
        Lock read = client.readWriteLock(name).readLock();
        long before = serverMicros();
        write.lock();
        read.lock();
        write.unlock();
        Lease reader =
                client.readWriteLock(name).readLock().leaseOfCurrentThread().orElseThrow();
        read.unlock();
        assertKeptFromWriters(name, before, reader);
    }

    private void assertKeptFromWriters(String name, long before, Lease reader) {
        Leasehold other = client();
        assertThat(holds(name)).isOne();
        long end = holdEnd(name);
        assertThat(end - before).isGreaterThanOrEqualTo(MINIMUM_MICROS - CLOCKS_MICROS);
        assertThat(end - serverMicros()).isLessThanOrEqualTo(MINIMUM_MICROS);
        Lease next = await().until(() -> other.lock(name).tryAcquire(), taken -> taken.isPresent())
                .orElseThrow();
        assertThat(serverMicros() - before).isGreaterThanOrEqualTo(MINIMUM_MICROS - CLOCKS_MICROS);
        assertThat(next.fencingToken()).isGreaterThan(reader.fencingToken());
    }

    @Test
    void readersBesideItNeitherShareItsHoldNorLoseTheirs() {
        String name = name();
        Leasehold client = client();
        Duration minimum = Duration.ofSeconds(20);
        Lease writer = client.lock(name)
                .with(KEPT.toBuilder().minHold(minimum).build())
                .tryAcquire()
                .orElseThrow();
        Lease reader = client.readWriteLock(name).downgrade(writer);
        Lease own = client.readWriteLock(name).readLock().tryAcquire().orElseThrow();
        Lease others = client().readWriteLock(name).readLock().tryAcquire().orElseThrow();
        assertThat(holds(name)).isEqualTo(3);
        reader.release();
        assertThat(holds(name)).isEqualTo(3);
        own.ensureHeld();
        others.ensureHeld();
        Lease late = client().readWriteLock(name).readLock().tryAcquire().orElseThrow();
        assertThat(List.of(own, others, late)).extracting(Lease::fencingToken).containsOnly(reader.fencingToken());
        own.release();
        others.release();
        late.release();
        assertThat(holds(name)).as("the rest of the minimum").isOne();
        assertThat(holdEnd(name) - serverMicros()).isLessThanOrEqualTo(minimum.toNanos() / 1000);
        assertThat(client().lock(name).tryAcquire()).isEmpty();
        Lease next = client().readWriteLock(name).readLock().tryAcquire().orElseThrow();
        assertThat(next.fencingToken()).isEqualTo(reader.fencingToken());
    }

    @Test
    void aReleaseAfterTheMinimumFreesTheLock() {
        String name = name();
        DistributedLock lock = client().lock(name)
                .with(KEPT.toBuilder().minHold(Duration.ofMillis(100)).build());
        Lease lease = lock.tryAcquire().orElseThrow();
        long granted = serverMicros();
        await().until(() -> serverMicros() - granted > 100_000 + CLOCKS_MICROS);
        lease.release();
        assertThat(holds(name)).isZero();
    }

    @Test
    void aClosedClientLeavesTheHoldToItsLease() {
        String name = name();
        Leasehold client = client();
        Lease lease = client.lock(name).with(KEPT).tryAcquire().orElseThrow();
        client.close();
        assertThat(lease.isHeld()).isFalse();
        assertThat(holds(name)).isOne();
        assertThat(holdEnd(name) - serverMicros()).isPositive();
    }
}
