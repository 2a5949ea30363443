package dev.leasehold.internal.lock;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockOptions;
import dev.leasehold.OwnedLock;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.internal.acquire.AcquireMessages;
import dev.leasehold.internal.acquire.AcquireRequest;
import dev.leasehold.internal.acquire.Acquisition;
import dev.leasehold.internal.dispatch.TraceDispatcher;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.request.Lifecycle;
import dev.leasehold.internal.time.WaitLimit;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A lock as its users see it. Immutable; it has no state of its own. */
public sealed class LockView implements DistributedLock permits OwnedLockView {

    final LockServices services;
    final LockKey key;
    final LockOptions options;
    final @Nullable OwnerKey owner;
    final boolean fair;

    /** Whether it is the write lock of a read-write lock. */
    private final boolean writes;

    LockView(LockServices services, LockKey key, LockOptions options, @Nullable OwnerKey owner, boolean fair) {
        this(services, key, options, owner, fair, false);
    }

    private LockView(
            LockServices services,
            LockKey key,
            LockOptions options,
            @Nullable OwnerKey owner,
            boolean fair,
            boolean writes) {
        this.services = services;
        this.key = key;
        this.options = options;
        this.owner = owner;
        this.fair = fair;
        this.writes = writes;
        new KindCheck(this, key, owner, fair, writes).check(options);
    }

    /** The lock of a key, each acquisition its own owner. */
    public static DistributedLock of(LockServices services, LockKey key, LockOptions options) {
        return new LockView(services, key, options, null, false);
    }

    /** The fair lock of a key. */
    public static LockView fair(LockServices services, LockKey key, LockOptions options) {
        return new LockView(services, key, checkFair(options), null, true);
    }

    /** The write lock of a read-write lock. */
    static DistributedLock writing(LockServices services, LockKey key, LockOptions options) {
        return new LockView(services, key, options, null, false, true);
    }

    // Made when they are used: a client may keep a hundred thousand locks.

    private ThreadReentry thread() {
        return new ThreadReentry(services, key, owner);
    }

    private Retention retention() {
        return new Retention(services, key, options);
    }

    /** Refuses polling: a waiter that polls has no position in the queue, so no order could be guaranteed. */
    static LockOptions checkFair(LockOptions options) {
        if (!options.waitStrategy().wakeUps()) {
            throw new IllegalArgumentException("a fair lock serves its waiters in the order of its queue, in which a"
                    + " waiter that polls (" + options.waitStrategy()
                    + ") has no position. Use WaitStrategy.woken(), or lock(...)"
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
        Lease taken = retention().lease();
        return taken == null ? required(blocking(WaitLimit.UNLIMITED)) : taken;
    }

    @Override
    public final Lease acquire(Duration wait) throws InterruptedException {
        WaitLimit limit = WaitLimit.of(wait);
        Lease taken = retention().lease();
        return taken == null ? required(blocking(limit)) : taken;
    }

    @Override
    public final Optional<Lease> tryAcquire() {
        Lease taken = retention().lease();
        if (taken != null) {
            return Optional.of(taken);
        }
        Acquisition acquisition = begin(WaitLimit.ONCE, Thread.currentThread(), false, false);
        return optional(uninterruptibly(acquisition), services.callSites().here());
    }

    @Override
    public final Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        WaitLimit limit = WaitLimit.of(wait);
        Lease taken = retention().lease();
        return taken == null ? optional(blocking(limit)) : Optional.of(taken);
    }

    @Override
    public final CompletionStage<Lease> acquireAsync() {
        return async(WaitLimit.UNLIMITED, false, this::required);
    }

    @Override
    public final CompletionStage<Lease> acquireAsync(Duration wait) {
        return async(WaitLimit.of(wait), false, this::required);
    }

    @Override
    public final CompletionStage<Optional<Lease>> tryAcquireAsync() {
        return async(WaitLimit.ONCE, false, this::optional);
    }

    @Override
    public final CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait) {
        return async(WaitLimit.of(wait), false, this::optional);
    }

    /** Acquires the lock for a candidate of an election, which no measurement counts as a waiter. */
    public final CompletionStage<Lease> stand() {
        return async(WaitLimit.UNLIMITED, true, this::required);
    }

    @Override
    public final OwnedLock ownedBy(String name) {
        if (key.kind() != LockKind.STANDARD) {
            throw LockMessages.noOwner(key);
        }
        return new OwnedLockView(services, key, options, OwnerKey.named(name), fair);
    }

    @Override
    public DistributedLock with(LockOptions other) {
        services.options().check(other);
        return new LockView(services, key, fair ? checkFair(other) : other, owner, fair, writes);
    }

    @Override
    public final Optional<LockInfo> inspect() {
        services.context().ensureOpen();
        return services.inspection().of(key);
    }

    @Override
    public final boolean forceRelease() {
        return takeAway(0);
    }

    @Override
    public final boolean forceRelease(long fencingToken) {
        if (!key.kind().hasTokens()) {
            throw LockMessages.noTokens(key);
        }
        if (fencingToken <= 0) {
            throw LockMessages.badToken(key, fencingToken);
        }
        return takeAway(fencingToken);
    }

    private boolean takeAway(long fencingToken) {
        services.context().ensureOpen();
        return services.forced().run(key, fencingToken);
    }

    @Override
    public final boolean requestRelease() {
        services.context().ensureOpen();
        services.drivers().refuseOnEventLoop(key);
        return services.drivers().runUninterruptibly(services.releases().request(key));
    }

    @Override
    public final CompletionStage<Boolean> requestReleaseAsync() {
        return services.drivers().start(services.releases().request(key));
    }

    @Override
    public final boolean isHeldByCurrentThread() {
        ThreadHolds.Hold hold = thread().hold();
        return hold != null && services.validity().valid(hold.record);
    }

    @Override
    public int holdCount() {
        return thread().count();
    }

    @Override
    public final Optional<Lease> leaseOfCurrentThread() {
        ThreadHolds.Hold hold = thread().hold();
        return hold == null ? Optional.empty() : Optional.of(services.handles().ofThread(hold.record));
    }

    @Override
    public final void lock() {
        if (!thread().reenter() && !keepsRetained()) {
            Acquisition acquisition = begin(WaitLimit.UNLIMITED, Thread.currentThread(), true, false);
            keep(uninterruptibly(acquisition), acquisition);
        }
    }

    @Override
    public final void lockInterruptibly() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before locking " + key.shown());
        }
        if (!thread().reenter() && !keepsRetained()) {
            Acquisition acquisition = begin(WaitLimit.UNLIMITED, Thread.currentThread(), true, false);
            keep(interruptibly(acquisition), acquisition);
        }
    }

    @Override
    public final boolean tryLock() {
        if (thread().reenter() || keepsRetained()) {
            return true;
        }
        Acquisition acquisition = begin(WaitLimit.ONCE, Thread.currentThread(), true, false);
        return kept(uninterruptibly(acquisition));
    }

    @Override
    public final boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        // The JDK's contract: a time of zero or less does not wait.
        long nanos = Math.max(0, Objects.requireNonNull(unit, "unit").toNanos(time));
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before locking " + key.shown());
        }
        if (thread().reenter() || keepsRetained()) {
            return true;
        }
        Acquisition acquisition = begin(WaitLimit.of(Duration.ofNanos(nanos)), Thread.currentThread(), true, false);
        return kept(interruptibly(acquisition));
    }

    @Override
    public final void unlock() {
        thread().unlock();
    }

    @Override
    public final Condition newCondition() {
        throw new UnsupportedOperationException(key.inWords()
                + " has no conditions: a waiter in Redis would have to outlive its process. Poll under the lock, or use"
                + " a queue or a stream");
    }

    @Override
    public final String toString() {
        String kind = switch (key.kind()) {
            case PLAIN -> "plain ";
            case REDISSON -> "Redisson ";
            case REDISSON_FENCED -> "fenced Redisson ";
            case QUORUM -> "quorum ";
            case READ -> "read ";
            case PERMITS -> fair ? "fair permit " : "permit ";
            case STANDARD -> fair ? "fair " : writes ? "write " : "";
        };
        return kind + "lock " + key.shown() + (owner == null ? "" : " owned by " + owner.shown());
    }

    /** Takes over a retained hold without a request, for the calling thread, which has the lock from then on. */
    private boolean keepsRetained() {
        LeaseRecord record = retention().record(Thread.currentThread(), true);
        if (record != null) {
            thread().keep(record);
        }
        return record != null;
    }

    private Acquisition begin(WaitLimit limit, @Nullable Thread holder, boolean tied, boolean candidate) {
        services.context().ensureOpen();
        if (holder != null) {
            services.drivers().refuseOnEventLoop(key);
            ThreadReentry.refuseToWaitForItself(services, key, owner, options, limit);
        }
        TraceDispatcher trail = candidate ? null : services.events().trace(key);
        return services.acquisitions()
                .of(new AcquireRequest(key, owner, options, holder, tied, fair, candidate, limit, false, trail));
    }

    private Acquisition.Outcome interruptibly(Acquisition acquisition) throws InterruptedException {
        try {
            return services.drivers().run(retention().before(acquisition));
        } catch (InterruptedException e) {
            throw new InterruptedException(
                    "interrupted while acquiring " + key.inWords() + "; whatever was taken is given back");
        }
    }

    private Acquisition.Outcome uninterruptibly(Acquisition acquisition) {
        return services.drivers().runUninterruptibly(retention().before(acquisition));
    }

    /** The outcome of an acquisition, and the acquisition itself for error messages. */
    private record Finished(
            Acquisition.Outcome done, @Nullable Acquisition acquisition, String acquiredAt) {}

    private Finished blocking(WaitLimit limit) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before acquiring " + key.inWords());
        }
        Acquisition acquisition = begin(limit, Thread.currentThread(), false, false);
        return new Finished(
                interruptibly(acquisition), acquisition, services.callSites().here());
    }

    private <T> CompletionStage<T> async(WaitLimit limit, boolean candidate, Function<Finished, T> outcome) {
        if (services.context().closed()) {
            return CompletableFuture.failedFuture(Lifecycle.closedException());
        }
        LeaseRecord taken = retention().record(null, false);
        String acquiredAt = services.callSites().here();
        if (taken != null) {
            Acquisition.Outcome done = new Acquisition.Outcome(taken, null, false);
            return CompletableFuture.completedFuture(outcome.apply(new Finished(done, null, acquiredAt)));
        }
        Acquisition acquisition = begin(limit, null, false, candidate);
        return services.drivers()
                .promise(
                        retention().before(acquisition),
                        done -> outcome.apply(new Finished(done, acquisition, acquiredAt)));
    }

    private Lease required(Finished finished) {
        return optional(finished).orElseThrow(() -> busy(Objects.requireNonNull(finished.acquisition())));
    }

    private LockNotAcquiredException busy(Acquisition acquisition) {
        boolean own = ThreadReentry.ownHold(services, key, owner, any -> true).isPresent();
        return AcquireMessages.busy(key, acquisition.waited(), acquisition.tries(), own);
    }

    private Optional<Lease> optional(Finished finished) {
        return optional(finished.done(), finished.acquiredAt());
    }

    private Optional<Lease> optional(Acquisition.Outcome done, String acquiredAt) {
        LeaseRecord record = granted(done);
        return record == null
                ? Optional.empty()
                : Optional.of(services.handles().of(record, acquiredAt));
    }

    private @Nullable LeaseRecord granted(Acquisition.Outcome done) {
        if (done.failure() != null) {
            throw done.failure();
        }
        services.leases().afterGrant();
        return done.acquired();
    }

    private boolean kept(Acquisition.Outcome done) {
        LeaseRecord record = granted(done);
        if (record == null) {
            return false;
        }
        thread().keep(record);
        return true;
    }

    private void keep(Acquisition.Outcome done, Acquisition acquisition) {
        if (!kept(done)) {
            throw busy(acquisition);
        }
    }
}
