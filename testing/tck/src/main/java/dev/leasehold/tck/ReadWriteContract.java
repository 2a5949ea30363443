package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Acquirable;
import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.OwnedLock;
import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.inspect.LockInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Read-write locks: many readers or one writer; no starvation, and one hold's end does not end another. */
@SuppressWarnings("LockNotBeforeTry") // these tests are about locks that stay held
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "its servers see the waiters in different orders")
@Except(
        value = {Topology.TLS_AND_ACL, Topology.SENTINEL},
        because = "it takes long and does not differ from one server")
class ReadWriteContract extends ContractBase {

    private static final LockOptions WOKEN =
            LockOptions.builder().leaseTime(Duration.ofSeconds(20)).build();

    private static DistributedLock read(Leasehold client, String name) {
        return client.readWriteLock(name).readLock().with(WOKEN);
    }

    private static DistributedLock write(Leasehold client, String name) {
        return client.readWriteLock(name).writeLock().with(WOKEN);
    }

    private static void assertTaken(DistributedLock lock) {
        assertThat(lock.tryAcquire()).isEmpty();
    }

    private static Lease taken(DistributedLock lock) {
        return lock.tryAcquire().orElseThrow();
    }

    @Test
    void manyReadAndNoneWrites() {
        String name = name();
        Leasehold other = client();
        Lease here = taken(read(client(), name));
        Lease remote = taken(read(other, name));
        assertTaken(write(client(), name));
        assertTaken(client().lock(name));
        here.close();
        assertTaken(write(other, name));
        remote.ensureHeld();
        remote.close();
        taken(write(other, name)).close();
        assertThat(holds(name)).isZero();
    }

    @Test
    void oneWritesAndNoneReads() {
        String name = name();
        Leasehold other = client();
        Lease writer = taken(write(client(), name));
        assertTaken(read(other, name));
        assertTaken(write(other, name));
        writer.close();
        Lease locked = taken(other.lock(name));
        assertTaken(read(client(), name));
        locked.close();
        taken(read(other, name)).close();
    }

    @Test
    void readersOfOneClientShareAHoldThatGoesWithTheLast() {
        String name = name();
        Leasehold client = client();
        List<Lease> readers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            readers.add(taken(read(client, name)));
        }
        // A late reader sent its own request to Redis, which granted another hold.
        assertThat(holds(name)).isBetween(1L, 9L);
        assertThat(readers).allSatisfy(reader -> assertThat(reader.isHeld()).isTrue());
        for (Lease reader : readers) {
            assertTaken(write(client, name));
            reader.close();
            assertThat(reader.isHeld()).isFalse();
        }
        taken(write(client, name)).close();
    }

    @Test
    void readersWithLeasesOfDifferentLengthHaveHoldsOfTheirOwn() {
        String name = name();
        Leasehold client = client();
        DistributedLock lock = client.readWriteLock(name).readLock();
        Lease brief = taken(lock.with(unrenewed(1000)));
        Lease lasting = taken(lock.with(lease(10_000)));
        assertThat(holds(name)).isEqualTo(2);
        await().until(() -> !brief.isHeld());
        lasting.ensureHeld();
        lasting.close();
        // Redis ends the other's hold a little later than its holder relied on it.
        granted(waiter(write(client, name))).close();
    }

    @Test
    void eachSideHasItsOwnLeaseTime() {
        String name = name();
        Leasehold client = client();
        DistributedReadWriteLock lock = client.readWriteLock(name);
        try (Lease reader = taken(lock.readLock().with(lease(3000)))) {
            assertThat(reader.remaining()).isLessThan(Duration.ofSeconds(3));
            assertThat(lock.writeLock().inspect().orElseThrow().left()).isLessThanOrEqualTo(Duration.ofSeconds(3));
        }
        try (Lease writer = taken(lock.writeLock().with(lease(9000)))) {
            assertThat(writer.remaining()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(9));
        }
    }

    @Test
    void readersHaveOneTokenBetweenTheTokensOfTheWriters() {
        String name = name();
        long before;
        try (Lease writer = taken(write(client(), name))) {
            before = writer.fencingToken();
        }
        Lease here = taken(read(client(), name));
        Lease remote = taken(read(client(), name));
        assertThat(here.fencingToken()).isGreaterThan(before).isEqualTo(remote.fencingToken());
        here.close();
        remote.close();
        assertThat(taken(write(client(), name)).fencingToken()).isGreaterThan(here.fencingToken());
    }

    /**
     * Returns a reader of a client that a writer of the same client has let in, under the hold of the writer. A client whose
     * requests may arrive twice lets nobody in: then any reader after the writer.
     */
    private Lease letIn(Leasehold client, AtomicInteger handedOff, String name) {
        boolean handsOff = sendsAtMostOnce();
        List<Lease> readers = new ArrayList<>();
        soon().until(() -> {
            readers.forEach(Lease::close);
            readers.clear();
            // The reader's position may still be there for a moment.
            Lease writer = soon().until(write(client, name)::tryAcquire, Optional::isPresent)
                    .orElseThrow();
            CompletableFuture<Lease> reader = waiter(read(client, name));
            untilWaiting(name, 1);
            writer.close();
            readers.add(granted(reader));
            assertThat(readers.get(0).fencingToken()).isGreaterThan(writer.fencingToken());
            return handedOff.get() > 0 || !handsOff;
        });
        return readers.get(0);
    }

    private Leasehold client(AtomicInteger handedOff) {
        return client(
                server().uri(),
                builder -> builder.listener(new LeaseholdListener() {
                    @Override
                    public void acquired(AcquiredEvent event) {
                        handedOff.addAndGet(event.handedOff() ? 1 : 0);
                    }
                }));
    }

    @Test
    void readersThatAWriterOfTheirClientLetsInHaveTheTokenOfThoseThatComeLater() {
        String name = name();
        AtomicInteger handedOff = new AtomicInteger();
        Leasehold client = client(handedOff);
        Lease first = letIn(client, handedOff, name);
        // Another lease time: it asks Redis for a hold of its own.
        Lease own = granted(waiter(read(client, name).with(lease(30_000))));
        Lease remote = granted(waiter(read(client(), name)));
        assertThat(own.fencingToken()).isEqualTo(first.fencingToken());
        assertThat(remote.fencingToken()).isEqualTo(first.fencingToken());
        LockInfo held = read(client, name).inspect().orElseThrow();
        assertThat(held.fencingToken()).isEqualTo(first.fencingToken());
        assertThat(held.handsOff()).isFalse();
        first.close();
        own.close();
        Lease last = granted(waiter(read(client, name)));
        assertThat(last.fencingToken()).isEqualTo(remote.fencingToken());
        remote.close();
        last.close();
        Lease writer = granted(waiter(write(client(), name)));
        assertThat(writer.fencingToken()).isGreaterThan(last.fencingToken());
    }

    @Test
    void bothSidesAreReentrantByThreadWithoutALongerLease() {
        String name = name();
        DistributedReadWriteLock lock = client().readWriteLock(name);
        DistributedLock write = lock.writeLock().with(lease(5000));
        for (int i = 0; i < 10; i++) {
            write.lock();
        }
        assertThat(write.holdCount()).isEqualTo(10);
        assertThat(write.inspect().orElseThrow().left()).isLessThanOrEqualTo(Duration.ofSeconds(5));
        for (int i = 0; i < 10; i++) {
            assertTaken(read(client(), name));
            write.unlock();
        }
        DistributedLock read = lock.readLock();
        for (int i = 0; i < 10; i++) {
            read.lock();
        }
        assertThat(read.holdCount()).isEqualTo(10);
        for (int i = 0; i < 10; i++) {
            assertTaken(write(client(), name));
            read.unlock();
        }
        assertThatThrownBy(read::unlock).isInstanceOf(IllegalMonitorStateException.class);
        taken(write(client(), name)).close();
    }

    @Test
    void onlyThreadsThatReadUnlock() throws Exception {
        String name = name();
        DistributedLock read = client().readWriteLock(name).readLock();
        read.lock();
        assertThat(inThread(read::isHeldByCurrentThread).get(1, TimeUnit.MINUTES))
                .isFalse();
        assertThat(inThread(() -> {
                            assertThatThrownBy(read::unlock).isInstanceOf(IllegalMonitorStateException.class);
                            return true;
                        })
                        .get(1, TimeUnit.MINUTES))
                .isTrue();
        assertThat(read.isHeldByCurrentThread()).isTrue();
        read.unlock();
    }

    @Test
    void waitingReadersEnterTogetherWhenTheWriterLeaves() throws InterruptedException {
        String name = name();
        Lease writer = taken(write(client(), name));
        List<CompletableFuture<Lease>> readers = new ArrayList<>();
        for (int c = 0; c < 3; c++) {
            Leasehold client = client();
            for (int i = 0; i < 5; i++) {
                readers.add(waiter(read(client, name)));
            }
        }
        untilWaiting(name, 3);
        writer.close();
        List<Lease> leases = readers.stream().map(ContractBase::granted).toList();
        assertThat(leases).allSatisfy(Lease::ensureHeld);
        leases.forEach(Lease::close);
        assertThat(field(name, "wn")).isEqualTo("null");
        taken(write(client(), name)).close();
    }

    @Test
    void newReadersWaitBehindAWaitingWriter() throws InterruptedException {
        String name = name();
        Leasehold other = client();
        Lease early = taken(read(client(), name));
        CompletableFuture<Lease> writer = waiter(write(client(), name));
        untilWaiting(name, 1);
        assertTaken(read(other, name));
        CompletableFuture<Lease> late = waiter(read(other, name));
        untilWaiting(name, 2);
        early.close();
        Lease writes = granted(writer);
        assertThat(late).isNotDone();
        writes.close();
        granted(late).close();
    }

    @Test
    void readersOfTheWritersOwnClientWaitToo() throws InterruptedException {
        String name = name();
        Leasehold client = client();
        Lease early = taken(read(client, name));
        CompletableFuture<Lease> writer = waiter(write(client, name));
        untilWaiting(name, 1);
        assertTaken(read(client, name));
        early.close();
        granted(writer).close();
        taken(read(client, name)).close();
    }

    @Test
    void aWriterThatGivesUpLetsTheReadersBehindItIn() throws InterruptedException {
        String name = name();
        Lease early = taken(read(client(), name));
        CompletableFuture<Lease> writer = waiter(write(client(), name));
        untilWaiting(name, 1);
        CompletableFuture<Lease> late = waiter(read(client(), name));
        untilWaiting(name, 2);
        writer.cancel(false);
        granted(late).close();
        early.ensureHeld();
    }

    @Test
    void aDeadWriterDoesNotExcludeReadersForLong() throws Exception {
        String name = name();
        Lease early = taken(read(client(), name));
        try (ChildJvm doomed = WaitersProcess.start(address(), name, 1)) {
            untilWaiting(name, 1);
            doomed.kill();
        }
        letTenSecondsPassSinceTheLastPolls(name);
        granted(waiter(read(client(), name))).close();
        early.ensureHeld();
    }

    @Test
    void overlappingReadersDoNotKeepAWriterOut() throws Exception {
        String name = name();
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger reads = new AtomicInteger();
        List<CompletableFuture<Boolean>> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            DistributedLock lock = read(client(), name);
            readers.add(inThread(() -> {
                while (!over.get()) {
                    try (Lease lease = lock.acquire()) {
                        int until = reads.incrementAndGet() + 2;
                        // Until others have acquired it: there is always a reader.
                        for (int spin = 0; reads.get() < until && spin < 100_000 && !over.get(); spin++) {
                            Thread.onSpinWait();
                        }
                        lease.ensureHeld();
                    }
                }
                return true;
            }));
        }
        soon().until(() -> reads.get() > 20);
        Leasehold client = client();
        for (int i = 0; i < 5; i++) {
            // Less than a read lease, which is 20 s.
            write(client, name).acquire(Duration.ofSeconds(15)).close();
            int before = reads.get();
            soon().until(() -> reads.get() > before);
        }
        over.set(true);
        for (CompletableFuture<Boolean> reader : readers) {
            assertThat(reader.get(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    @Test
    void aDeadReaderExcludesWritersOnlyForItsOwnLease() throws Exception {
        String name = name();
        // This brief because the writer polls when the last reported lease ends. Taken when the other process has
        // started, for that may take longer than the lease.
        LockOptions brief =
                LockOptions.builder().leaseTime(Duration.ofSeconds(3)).build();
        Lease living;
        try (HolderProcess doomed = HolderProcess.startReading(address(), name, Duration.ofSeconds(3))) {
            living = taken(read(client(), name).with(brief));
            assertThat(living.fencingToken()).isEqualTo(doomed.token());
            assertThat(holds(name)).isEqualTo(2);
            doomed.kill();
        }
        CompletableFuture<Lease> writer = waiter(write(client(), name));
        untilWaiting(name, 1);
        living.ensureHeld();
        living.close();
        granted(writer).close();
    }

    @Test
    void writersAndReadersNeverMeet() throws Exception {
        String name = name();
        AtomicInteger writing = new AtomicInteger();
        AtomicInteger reading = new AtomicInteger();
        AtomicInteger met = new AtomicInteger();
        List<CompletableFuture<Boolean>> workers = new ArrayList<>();
        for (int c = 0; c < 3; c++) {
            DistributedReadWriteLock lock = client().readWriteLock(name);
            for (int t = 0; t < 4; t++) {
                boolean sometimes = t == 0;
                workers.add(inThread(() -> {
                    for (int i = 0; i < 60; i++) {
                        if (sometimes || i % 10 == 9) {
                            try (Lease writer = lock.writeLock().acquire()) {
                                met.addAndGet(writing.getAndIncrement() + reading.get());
                                writer.ensureHeld();
                                writing.decrementAndGet();
                            }
                        } else {
                            try (Lease reader = lock.readLock().acquire()) {
                                reading.incrementAndGet();
                                met.addAndGet(writing.get());
                                reader.ensureHeld();
                                reading.decrementAndGet();
                            }
                        }
                    }
                    return true;
                }));
            }
        }
        for (CompletableFuture<Boolean> worker : workers) {
            assertThat(worker.get(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(met).hasValue(0);
        assertThat(holds(name)).isZero();
        assertThat(field(name, "rs")).isEqualTo("null");
    }

    @Test
    void aWriterBecomesAReaderWithNoHolderInBetween() throws InterruptedException {
        String name = name();
        Leasehold client = client();
        Lease writer = taken(write(client, name));
        CompletableFuture<Lease> reader = waiter(read(client(), name));
        untilWaiting(name, 1);
        CompletableFuture<Lease> other = waiter(write(client(), name));
        untilWaiting(name, 2);
        Lease downgraded = client.readWriteLock(name).downgrade(writer);
        assertThat(writer.isHeld()).isFalse();
        writer.close();
        downgraded.ensureHeld();
        assertThat(downgraded.fencingToken()).isGreaterThan(writer.fencingToken());
        Lease second = granted(reader);
        assertThat(second.fencingToken()).isEqualTo(downgraded.fencingToken());
        assertThat(other).isNotDone();
        downgraded.close();
        second.close();
        granted(other).close();
    }

    @Test
    void readersThatJoinADowngradedLeaseShareItsToken() {
        String name = name();
        AtomicInteger handedOff = new AtomicInteger();
        Leasehold client = client(handedOff);
        letIn(client, handedOff, name).close();
        Lease writer = granted(waiter(write(client, name)));
        Lease downgraded = client.readWriteLock(name).downgrade(writer);
        Lease joined = granted(waiter(read(client, name)));
        Lease remote = granted(waiter(read(client(), name)));
        assertThat(downgraded.fencingToken()).isGreaterThan(writer.fencingToken());
        assertThat(joined.fencingToken()).isEqualTo(downgraded.fencingToken());
        downgraded.close();
        assertThat(granted(waiter(read(client, name))).fencingToken()).isEqualTo(remote.fencingToken());
        assertThat(remote.fencingToken()).isEqualTo(downgraded.fencingToken());
    }

    @Test
    void aDowngradeThatItsCallerGivesUpLeavesNothing() {
        isLeftByADowngrade(stage -> stage.cancel(false));
        isLeftByADowngrade(stage -> stage.complete(null));
        isLeftByADowngrade(stage -> stage.completeExceptionally(new IllegalStateException("the caller is in a hurry")));
    }

    private void isLeftByADowngrade(Predicate<CompletableFuture<Lease>> givesUp) {
        String name = name();
        Leasehold client = client();
        Lease writer = taken(write(client, name));
        server().pause();
        CompletableFuture<Lease> downgrade =
                client.readWriteLock(name).downgradeAsync(writer).toCompletableFuture();
        boolean gaveUp = givesUp.test(downgrade);
        server().resume();
        // Over a client that blocks, the call returns when it has got no answer for the command timeout.
        assertThat(gaveUp || downgrade.isCompletedExceptionally()).isTrue();
        await().until(() -> holds(name) == 0);
        assertThat(writer.isHeld()).isFalse();
        granted(waiter(write(client(), name))).close();
    }

    @Test
    void aDowngradedLeaseIsRenewedAndItsLossIsReported() {
        String name = name();
        AtomicInteger renewals = new AtomicInteger();
        Leasehold client = client(server().uri(), builder -> builder.listener(counting(renewals)));
        DistributedReadWriteLock lock = client.readWriteLock(name);
        Lease writer = taken(lock.writeLock().with(renewedSoon()));
        Lease reader = lock.downgradeAsync(writer).toCompletableFuture().join();
        AtomicInteger lost = new AtomicInteger();
        reader.onLost(loss -> lost.incrementAndGet());
        LockInfo before = lock.readLock().inspect().orElseThrow();
        assertThat(before.shared()).isTrue();
        await().until(() -> renewals.get() >= 2);
        assertThat(reader.isHeld()).isTrue();
        assertThat(client().lock(name).forceRelease()).isTrue();
        await().until(() -> lost.get() == 1);
        assertThatThrownBy(reader::close).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void readersOfOtherClientsEnterThoughAFailOverHasLostTheDowngrade() {
        String name = name();
        DistributedReadWriteLock lock = client().readWriteLock(name);
        Lease writer = taken(lock.writeLock().with(renewedSoon()));
        String hold = field(name, "own");
        String last = field(name, "last");
        Lease reader = lock.downgrade(writer);
        // A primary without the last writes has the hold of a writer.
        server(key(name)).command("HSET", key(name), "own", hold, "last", last);
        server(key(name)).command("HDEL", key(name), "rs");
        CompletableFuture<Lease> waiter = waiter(read(client(), name));
        await().until(waiter::isDone);
        Lease other = waiter.join();
        reader.ensureHeld();
        assertThat(other.fencingToken()).isEqualTo(reader.fencingToken());
        assertTaken(write(client(), name));
        reader.close();
        other.close();
        taken(write(client(), name)).close();
    }

    @Test
    void aThreadThatWritesReadsAndStaysAReader() throws Exception {
        String name = name();
        DistributedReadWriteLock lock = client().readWriteLock(name);
        lock.writeLock().lock();
        lock.readLock().lock();
        lock.readLock().lock();
        assertTaken(read(client(), name));
        lock.writeLock().unlock();
        assertThat(lock.writeLock().isHeldByCurrentThread()).isFalse();
        assertThat(lock.readLock().isHeldByCurrentThread()).isTrue();
        taken(read(client(), name)).close();
        assertTaken(write(client(), name));
        lock.readLock().unlock();
        assertTaken(write(client(), name));
        lock.readLock().unlock();
        taken(write(client(), name)).close();
    }

    @Test
    void aThreadThatReadsUnderItsWriteLockMayUnlockTheReadSideFirst() {
        String name = name();
        DistributedReadWriteLock lock = client().readWriteLock(name);
        lock.writeLock().lock();
        lock.readLock().lock();
        lock.readLock().unlock();
        assertTaken(read(client(), name));
        assertThatThrownBy(() -> lock.readLock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
        lock.writeLock().unlock();
        taken(write(client(), name)).close();
    }

    @Test
    void aReaderCannotWriteWhicheverWayItAsks() throws InterruptedException {
        String name = name();
        Leasehold client = client();
        DistributedReadWriteLock lock = client.readWriteLock(name);
        lock.readLock().lock();
        List<DistributedLock> views = List.of(
                lock.writeLock(),
                client.lock(name),
                client.fairLock(name),
                lock.writeLock().ownedBy("job"),
                client.fairLock(name).ownedBy("job"));
        for (DistributedLock view : views) {
            assertThat(view.tryLock()).isFalse();
            assertThat(outOfDoubt(() -> view.tryLock(30, TimeUnit.MILLISECONDS)))
                    .isFalse();
            isRefused(view::lock, "Unlock the read side");
            isRefused(view::lockInterruptibly, "Unlock the read side");
            isBusyForReaders(view);
        }
        isBusyForReaders(client.allOf(name, name()));
        await().untilAsserted(() ->
                assertThat(field(name, "wn")).as("none of them waits").isEqualTo("null"));
        assertThat(lock.readLock().isHeldByCurrentThread()).isTrue();
        // Leases belong to no thread: this one waits for the reader.
        CompletableFuture<Lease> writer = waiter(lock.writeLock());
        untilWaiting(name, 1);
        lock.readLock().unlock();
        granted(writer).close();
        lock.writeLock().lock();
        lock.writeLock().unlock();
    }

    @Test
    void aWriterDoesNotWaitForItselfWhicheverWayItAsks() {
        String name = name();
        Leasehold client = client();
        DistributedReadWriteLock lock = client.readWriteLock(name);
        lock.writeLock().lock();
        List<ThrowingCallable> ways = List.of(
                client.lock(name)::acquire,
                client.fairLock(name)::acquire,
                client.lock(name).ownedBy("job")::lock,
                client.lock(name).ownedBy("job")::acquire,
                client.allOf(name, name())::acquire);
        for (ThrowingCallable way : ways) {
            isRefused(way, "Lock it again by lock() of the same owner");
        }
        isRefused(lock.readLock()::acquire, "Lock the read side by lock()");
        client.lock(name).lock();
        client.lock(name).unlock();
        lock.writeLock().unlock();
        taken(write(client(), name)).close();
    }

    @Test
    void aThreadThatWritesAsANamedOwnerCannotReadUnderThat() throws Exception {
        String name = name();
        DistributedReadWriteLock lock = client().readWriteLock(name);
        DistributedLock read = lock.readLock();
        OwnedLock owned = lock.writeLock().ownedBy("job");
        owned.lock();
        owned.lock();
        assertThat(read.tryLock()).isFalse();
        assertThat(read.tryAcquire()).isEmpty();
        for (ThrowingCallable way : List.<ThrowingCallable>of(read::lock, read::lockInterruptibly, read::acquire)) {
            isRefused(way, "write without a name, or unlock the write side first");
        }
        owned.unlock();
        assertThat(read.tryLock()).isFalse();
        CompletableFuture<Boolean> other = inThread(read::tryLock);
        assertThat(other.get(1, TimeUnit.MINUTES))
                .as("another thread finds it busy")
                .isFalse();
        owned.unlock();
        assertThat(read.tryLock()).isTrue();
        read.unlock();
    }

    private static void isBusyForReaders(Acquirable<?> lock) {
        assertThat(lock.tryAcquire()).isEmpty();
        assertThat(outOfDoubt(() -> lock.tryAcquire(Duration.ofMillis(30)))).isEmpty();
        isRefused(lock::acquire, "Unlock the read side");
    }

    private static void isRefused(ThrowingCallable call, String remedy) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("would wait for its own unlock() for ever")
                .hasMessageContaining(remedy);
    }

    @Test
    void whatCannotBeDowngradedIsRefusedAndStaysHeld() {
        String name = name();
        Leasehold client = client();
        DistributedReadWriteLock lock = client.readWriteLock(name);
        Lease reader = taken(lock.readLock());
        assertThatThrownBy(() -> lock.downgrade(reader))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another lock or side");
        Lease other = taken(client().lock(name()));
        assertThatThrownBy(() -> lock.downgrade(other)).hasMessageContaining("another client");
        Lease foreign = taken(client.lock(name()));
        assertThatThrownBy(() -> lock.downgradeAsync(foreign)).hasMessageContaining("another lock or side");
        reader.close();
        Lease owned = taken(lock.writeLock().ownedBy("job"));
        assertThatThrownBy(() -> lock.downgrade(owned)).hasMessageContaining("name");
        owned.ensureHeld();
        owned.close();
        Lease over = taken(lock.writeLock());
        over.close();
        assertThatThrownBy(() -> lock.downgrade(over)).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> lock.readLock().ownedBy("job"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("writeLock()");
    }

    @Test
    void aDowngradeWithoutAnAnswerLeavesNothing() {
        String name = name();
        Leasehold client = client(server().uri(), builder -> builder.commandTimeout(Duration.ofMillis(300)));
        DistributedReadWriteLock lock = client.readWriteLock(name);
        Lease writer = taken(lock.writeLock());
        server().pause();
        assertThatThrownBy(() -> lock.downgrade(writer)).isInstanceOf(LockUnavailableException.class);
        assertThat(writer.isHeld()).isFalse();
        server().resume();
        await().until(() -> holds(name) == 0);
    }

    @Test
    void aForcedReleaseEndsTheHoldsOfAllReaders() {
        String name = name();
        List<Lease> readers = new ArrayList<>();
        AtomicInteger lost = new AtomicInteger();
        for (int c = 0; c < 2; c++) {
            DistributedLock lock = client().readWriteLock(name).readLock().with(renewedSoon());
            for (int i = 0; i < 2; i++) {
                Lease reader = taken(lock);
                reader.onLost(loss -> lost.incrementAndGet());
                readers.add(reader);
            }
        }
        assertThat(client().readWriteLock(name).readLock().forceRelease()).isTrue();
        assertThat(field(name, "rs")).isEqualTo("null");
        await().until(() -> lost.get() == 4);
        assertThat(taken(write(client(), name)).fencingToken())
                .isGreaterThan(readers.get(0).fencingToken());
    }

    @Test
    void aReaderThatLeavesKeepsTheHoldForTheOthers() {
        String name = name();
        Leasehold client = client();
        DistributedLock lock = client.readWriteLock(name).readLock().with(lease(20_000));
        List<Lease> readers = List.of(taken(lock), taken(lock), taken(lock));
        List<CompletableFuture<Boolean>> extended = new ArrayList<>();
        for (Lease reader : readers) {
            extended.add(reader.extendAsync(Duration.ofMillis(500)).toCompletableFuture());
        }
        assertThat(extended).allSatisfy(one -> assertThat(one.join()).isTrue());
        readers.get(0).close();
        readers.get(1).ensureHeld();
        readers.get(2).ensureHeld();
        readers.get(1).close();
        readers.get(2).ensureHeld();
        assertTaken(write(client(), name));
        readers.get(2).close();
        taken(write(client(), name)).close();
    }

    @Test
    void aClientThatIsClosedGivesBackWhatItsReadersShare() {
        String name = name();
        Leasehold client = Leasehold.connect(server().uri());
        Lease first = taken(read(client, name));
        Lease second = taken(read(client, name));
        client.close();
        assertThat(holds(name)).isZero();
        assertThat(first.isHeld() || second.isHeld()).isFalse();
    }
}
