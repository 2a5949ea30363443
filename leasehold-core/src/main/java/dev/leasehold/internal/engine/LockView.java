package dev.leasehold.internal.engine;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseholdException;
import dev.leasehold.LockOptions;
import dev.leasehold.OwnedLock;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.internal.key.ReadKey;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A lock as its users see it. Immutable; all state is in the engine. */
public sealed class LockView implements DistributedLock permits OwnedLockView {

    final Engine engine;
    final LockKey key;
    final LockOptions options;
    final @Nullable OwnerKey owner;
    final boolean fair;

    /** The readers' side of the same lock, if it is known that there is one. */
    private final @Nullable ReadKey readers;

    LockView(Engine engine, LockKey key, LockOptions options, @Nullable OwnerKey owner, boolean fair) {
        this(engine, key, options, owner, fair, null);
    }

    private LockView(
            Engine engine,
            LockKey key,
            LockOptions options,
            @Nullable OwnerKey owner,
            boolean fair,
            @Nullable ReadKey readers) {
        this.engine = engine;
        this.key = key;
        this.options = options;
        this.owner = owner;
        this.fair = fair;
        this.readers = readers;
    }

    /** The lock of a key, each acquisition its own owner. */
    public static DistributedLock of(Engine engine, LockKey key, LockOptions options) {
        return new LockView(engine, key, options, null, false);
    }

    /** The fair lock of a key. */
    public static DistributedLock fair(Engine engine, LockKey key, LockOptions options) {
        return new LockView(engine, key, checkFair(options), null, true);
    }

    /** The writers' side of a lock that others read under. */
    static DistributedLock writing(Engine engine, LockKey key, LockOptions options) {
        return new LockView(engine, key, options, null, false, ReadKey.of(key));
    }

    /** Who polls has no place in the queue, so nothing could be promised to it. */
    static LockOptions checkFair(LockOptions options) {
        if (!options.waitStrategy().wakeUps()) {
            throw new IllegalArgumentException("a fair lock serves its waiters in the order of its queue, in which who"
                    + " polls (" + options.waitStrategy() + ") has no place. Use WaitStrategy.woken(), or lock(...)"
                    + " instead of fairLock(...)");
        }
        return options;
    }

    @Override
    public final String name() {
        return key.name();
    }

    @Override
    public final Lease acquire() throws InterruptedException {
        return required(blocking(WaitLimit.UNLIMITED));
    }

    @Override
    public final Lease acquire(Duration wait) throws InterruptedException {
        return required(blocking(WaitLimit.of(wait)));
    }

    @Override
    public final Optional<Lease> tryAcquire() {
        Acquisition acquisition = begin(WaitLimit.ONCE, Thread.currentThread(), false);
        return optional(new BlockingDriver<>(engine, acquisition).runUninterruptibly(), engine.callSites.here());
    }

    @Override
    public final Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        return optional(blocking(WaitLimit.of(wait)));
    }

    @Override
    public final CompletionStage<Lease> acquireAsync() {
        return async(WaitLimit.UNLIMITED, this::required);
    }

    @Override
    public final CompletionStage<Lease> acquireAsync(Duration wait) {
        return async(WaitLimit.of(wait), this::required);
    }

    @Override
    public final CompletionStage<Optional<Lease>> tryAcquireAsync() {
        return async(WaitLimit.ONCE, this::optional);
    }

    @Override
    public final CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait) {
        return async(WaitLimit.of(wait), this::optional);
    }

    @Override
    public final OwnedLock ownedBy(String name) {
        if (key.kind() != LockKind.STANDARD) {
            throw LockMessages.noOwner(key);
        }
        return new OwnedLockView(engine, key, options, OwnerKey.named(name), fair);
    }

    @Override
    public DistributedLock with(LockOptions other) {
        engine.checkLease(other);
        return new LockView(engine, key, fair ? checkFair(other) : other, owner, fair, readers);
    }

    @Override
    public final Optional<LockInfo> inspect() {
        engine.ensureOpen();
        return Inspection.of(engine, key);
    }

    @Override
    public final boolean forceRelease() {
        engine.ensureOpen();
        return Inspection.forceRelease(engine, key);
    }

    @Override
    public final boolean requestRelease() {
        engine.ensureOpen();
        return new BlockingDriver<>(engine, new ReleaseRequest(engine, key)).runUninterruptibly();
    }

    @Override
    public final CompletionStage<Boolean> requestReleaseAsync() {
        return new AsyncDriver<>(engine, new ReleaseRequest(engine, key)).start();
    }

    @Override
    public final boolean isHeldByCurrentThread() {
        ThreadHolds.Hold hold = engine.holds.mine(key, ownerField());
        return hold != null && LeaseChecks.valid(engine, hold.record);
    }

    @Override
    public int holdCount() {
        ThreadHolds.Hold hold = engine.holds.mine(key, ownerField());
        return hold == null ? 0 : hold.count;
    }

    @Override
    public final Optional<Lease> leaseOfCurrentThread() {
        ThreadHolds.Hold hold = engine.holds.mine(key, ownerField());
        return hold == null ? Optional.empty() : Optional.of(LeaseHandle.ofThread(engine, hold.record));
    }

    @Override
    public final void lock() {
        if (!reenter()) {
            Acquisition acquisition = begin(WaitLimit.UNLIMITED, Thread.currentThread(), true);
            keep(new BlockingDriver<>(engine, acquisition).runUninterruptibly(), acquisition);
        }
    }

    @Override
    public final void lockInterruptibly() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before locking " + key.shown());
        }
        if (!reenter()) {
            Acquisition acquisition = begin(WaitLimit.UNLIMITED, Thread.currentThread(), true);
            keep(interruptibly(acquisition), acquisition);
        }
    }

    @Override
    public final boolean tryLock() {
        if (reenter()) {
            return true;
        }
        Acquisition acquisition = begin(WaitLimit.ONCE, Thread.currentThread(), true);
        return kept(new BlockingDriver<>(engine, acquisition).runUninterruptibly());
    }

    @Override
    public final boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before locking " + key.shown());
        }
        if (reenter()) {
            return true;
        }
        // The JDK's contract: a time of zero or less does not wait.
        Duration wait = Duration.ofNanos(Math.max(0, unit.toNanos(time)));
        Acquisition acquisition = begin(WaitLimit.of(wait), Thread.currentThread(), true);
        return kept(interruptibly(acquisition));
    }

    @Override
    public final void unlock() {
        ThreadHolds.Hold hold = engine.holds.mine(key, ownerField());
        if (hold == null) {
            throw LockMessages.notOwner(key, Thread.currentThread(), engine.holds.anyHolder(key));
        }
        hold.count--;
        LeaseRecord record = hold.record;
        if (hold.count == 0) {
            engine.holds.remove(key, ownerField());
            leave(hold);
        } else {
            LeaseChecks.valid(engine, record);
        }
        if (record.notice().event() != null) {
            throw LockMessages.lost(record.key, record.owner(), record.notice().event());
        }
    }

    /** A thread unlocked for the last time: a writer who also reads becomes a reader, and who reads as a writer stays that. */
    private void leave(ThreadHolds.Hold hold) {
        LeaseRecord record = hold.record;
        ThreadHolds.Hold writes = writesUnder(record);
        if (writes != null) {
            writes.reader = null;
        } else if (hold.reader != null && record.holding()) {
            try {
                hold.reader.record =
                        new BlockingDriver<>(engine, new DowngradeOperation(engine, record)).runUninterruptibly();
            } catch (LeaseholdException e) {
                engine.holds.remove(ReadKey.of(key), null);
                throw e;
            }
        } else {
            new BlockingDriver<>(engine, new ReleaseOperation(engine, record)).runUninterruptibly();
        }
    }

    /** What this thread has of the writers' side, if that is the lease under which it reads. */
    private ThreadHolds.@Nullable Hold writesUnder(LeaseRecord record) {
        if (!(key instanceof ReadKey read) || record.key.kind() == LockKind.READ) {
            return null;
        }
        return engine.holds.mine(read.write(), null);
    }

    @Override
    public final Condition newCondition() {
        throw new UnsupportedOperationException("lock " + key.shown()
                + " has no conditions: a waiter in Redis would have to outlive its process. Poll under the lock, or use"
                + " a queue or a stream");
    }

    @Override
    public final String toString() {
        String kind = switch (key.kind()) {
            case PLAIN -> "plain ";
            case QUORUM -> "quorum ";
            case READ -> "read ";
            case PERMITS -> fair ? "fair permit " : "permit ";
            case STANDARD -> fair ? "fair " : readers != null ? "write " : "";
        };
        return kind + "lock " + key.shown() + (owner == null ? "" : " owned by " + owner.shown());
    }

    /** Whose hold of the lock it is in this thread: with other permits it is another. */
    private @Nullable String ownerField() {
        if (key instanceof PermitKey permits) {
            return OwnerKey.PERMITS + permits.wanted();
        }
        return owner == null ? null : owner.field();
    }

    /** Counts once more if this thread holds the lock; a lost lease must be unlocked first. */
    private boolean reenter() {
        engine.ensureOpen();
        ThreadHolds.Hold hold = engine.holds.mine(key, ownerField());
        if (hold == null) {
            return readsAsWriter();
        }
        LeaseChecks.ensure(engine, hold.record);
        hold.count = Math.addExact(hold.count, 1);
        return true;
    }

    /** Whether this thread has the writers' side, under whose lease it may read. */
    private boolean readsAsWriter() {
        ThreadHolds.Hold writes = key instanceof ReadKey read ? engine.holds.mine(read.write(), null) : null;
        if (writes == null) {
            return false;
        }
        LeaseChecks.ensure(engine, writes.record);
        writes.reader = engine.holds.put(key, null, writes.record);
        return true;
    }

    private Acquisition begin(WaitLimit limit, @Nullable Thread thread, boolean tied) {
        engine.ensureOpen();
        if (readers != null && thread != null && engine.holds.mine(readers, null) != null) {
            throw LockMessages.noUpgrade(key);
        }
        TraceDispatcher trail = engine.events.trail(key.name());
        return new Acquisition(engine, key, owner, options, thread, tied, fair, limit, trail);
    }

    private Acquisition.Outcome interruptibly(Acquisition acquisition) throws InterruptedException {
        try {
            return new BlockingDriver<>(engine, acquisition).run();
        } catch (InterruptedException e) {
            throw new InterruptedException(
                    "interrupted while acquiring lock " + key.shown() + "; whatever was taken is given back");
        }
    }

    /** How an acquisition ended, beside itself, for the message. */
    private record Finished(Acquisition.Outcome done, Acquisition acquisition, String takenAt) {}

    private Finished blocking(WaitLimit limit) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before acquiring lock " + key.shown());
        }
        Acquisition acquisition = begin(limit, Thread.currentThread(), false);
        return new Finished(interruptibly(acquisition), acquisition, engine.callSites.here());
    }

    private <T> CompletionStage<T> async(WaitLimit limit, Function<Finished, T> outcome) {
        if (engine.closed()) {
            return CompletableFuture.failedFuture(Engine.closedException());
        }
        Acquisition acquisition = begin(limit, null, false);
        String takenAt = engine.callSites.here();
        return CancellablePromise.of(
                engine, acquisition, done -> outcome.apply(new Finished(done, acquisition, takenAt)));
    }

    private Lease required(Finished finished) {
        return optional(finished)
                .orElseThrow(() -> LockMessages.busy(
                        key,
                        finished.acquisition().waited(),
                        finished.acquisition().tries()));
    }

    private Optional<Lease> optional(Finished finished) {
        return optional(finished.done(), finished.takenAt());
    }

    private Optional<Lease> optional(Acquisition.Outcome done, String takenAt) {
        LeaseRecord record = granted(done);
        return record == null ? Optional.empty() : Optional.of(LeaseHandle.of(engine, record, takenAt));
    }

    private @Nullable LeaseRecord granted(Acquisition.Outcome done) {
        if (done.failure() != null) {
            throw done.failure();
        }
        engine.acquireAfterGrant();
        return done.acquired();
    }

    private boolean kept(Acquisition.Outcome done) {
        LeaseRecord record = granted(done);
        if (record == null) {
            return false;
        }
        engine.holds.put(key, ownerField(), record);
        return true;
    }

    private void keep(Acquisition.Outcome done, Acquisition acquisition) {
        if (!kept(done)) {
            throw LockMessages.busy(key, acquisition.waited(), acquisition.tries());
        }
    }
}
