package dev.leasehold.annotation;

import dev.leasehold.Lease;
import dev.leasehold.LockNotAcquiredException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call that blocks no thread: one subscription of a reactive result. It {@linkplain #acquire acquires}, then
 * {@linkplain #begin begins}, {@linkplain #call calls} the method, and {@linkplain #end ends} with the result; a
 * cancellation may come at any time. Thread-safe.
 */
public final class HoldAttempt {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.annotation");

    private final LockAcquirer acquirer;
    private final LockedMethod method;
    private final LockedInvocation invocation;
    private final List<Frame> outer;
    private final Runnable check;

    /** Set by the party that ends the lease: the run of the method, or an earlier cancellation. */
    private final AtomicBoolean endAssigned = new AtomicBoolean();

    /** Makes the end idempotent, as a cancellation and the run may both reach it. */
    private final AtomicBoolean ended = new AtomicBoolean();

    /** Completed with the frame of the call, or null if the lock is busy. */
    private final CompletableFuture<@Nullable Frame> acquired = new CompletableFuture<>();

    private volatile @Nullable CompletableFuture<? extends Lease> acquiring;
    /** Written before {@code acquired} completes. */
    private @Nullable LockNotAcquiredException busy;

    private volatile boolean cancelled;

    HoldAttempt(
            LockAcquirer acquirer,
            LockedMethod method,
            LockedInvocation invocation,
            List<Frame> outer,
            Runnable check) {
        this.acquirer = acquirer;
        this.method = method;
        this.invocation = invocation;
        this.outer = outer;
        this.check = check;
    }

    /**
     * Acquires the locks, or joins an outer call that holds them. Called once.
     *
     * @return a stage that completes when the call can begin, also if a lock is busy, or fails
     * @throws IllegalArgumentException if a template has no name for the arguments
     * @throws IllegalStateException if the call must not join an outer one, if its caller has a transaction open, or if the application is
     *     shutting down
     */
    public CompletionStage<?> acquire() {
        RequestedLocks wanted = RequestedLocks.of(method, invocation.arguments());
        Hold joined = Hold.join(outer, method, wanted);
        if (joined != null) {
            acquired.complete(new Frame(joined));
        } else {
            check.run();
            CompletableFuture<? extends Lease> started =
                    acquirer.acquireAsync(method, wanted).toCompletableFuture();
            acquiring = started;
            CompletableFuture<?> unused = started.whenComplete((lease, error) -> settle(wanted, lease, error));
        }
        return acquired.minimalCompletionStage();
    }

    private void settle(RequestedLocks wanted, @Nullable Lease lease, @Nullable Throwable error) {
        Throwable cause =
                error instanceof CompletionException wrapped && wrapped.getCause() != null ? wrapped.getCause() : error;
        if (lease != null) {
            acquired.complete(new Frame(acquirer.hold(method, wanted, lease)));
            return;
        }
        acquirer.acquisitionFailed();
        if (cause instanceof LockNotAcquiredException others) {
            busy = others;
            acquired.complete(null);
        } else if (!cancelled) {
            acquired.completeExceptionally(
                    cause == null ? new IllegalStateException("neither a lease nor an error") : cause);
        }
    }

    /**
     * Begins the call after {@link #acquire}. A caller that gets true calls {@link #end} later.
     *
     * @return false if the call was cancelled, and must do nothing more
     */
    public boolean begin() {
        return endAssigned.compareAndSet(false, true);
    }

    /**
     * Calls the method under its lease, or does what {@link Lock#onBusy} says.
     *
     * @return the result, not yet subscribed to; null if there is none
     * @throws Throwable as the method does
     */
    public @Nullable Object call() throws Throwable {
        Frame frame = acquired.join();
        if (frame == null) {
            LockNotAcquiredException others = busy;
            return others == null ? null : BusyCall.outcome(method, invocation, others);
        }
        Frames.push(frame);
        try {
            return invocation.proceed(
                    method.withLease(invocation.arguments(), frame.hold().lease()));
        } finally {
            Frames.remove(frame);
        }
    }

    /**
     * Returns the frames that calls inside of this one may join, after {@link #acquire}.
     *
     * @return the frames, this call's last
     */
    public List<Frame> frames() {
        Frame frame = acquired.join();
        return frame == null ? outer : Frames.plus(outer, frame);
    }

    /**
     * Runs an action when the lease is lost, if {@link Lock#onLoss} says that the method ends then.
     *
     * @param action ends the result; {@link #end} then reports the loss
     */
    public void onInterruptingLoss(Runnable action) {
        Frame frame = acquired.join();
        if (frame != null && method.onLoss() == Lock.OnLoss.INTERRUPT) {
            frame.hold().lease().onLost(event -> action.run());
        }
    }

    /**
     * Ends the call after the result. Idempotent.
     *
     * @return a stage that completes after the release, or fails with {@link dev.leasehold.LeaseLostException}
     */
    public CompletionStage<@Nullable Void> end() {
        Frame frame = acquired.join();
        return frame == null || !ended.compareAndSet(false, true)
                ? CompletableFuture.completedFuture(null)
                : frame.hold().leaveAsync();
    }

    /**
     * Cancels the acquisition, and releases its lease, also one that arrives later. After {@link #begin} it does
     * nothing: the run of the method ends the lease. Idempotent.
     */
    public void cancel() {
        cancelled = true;
        if (endAssigned.compareAndSet(false, true)) {
            CompletableFuture<? extends Lease> started = acquiring;
            if (started != null) {
                started.cancel(true);
            }
            CompletableFuture<?> unused = acquired.thenAccept(late -> endQuietly());
        }
    }

    /** Ends the call, and logs an error: the subscriber has cancelled. */
    public void endQuietly() {
        CompletionStage<?> unused = end().whenComplete((done, lost) -> {
            if (lost != null) {
                LOG.debug("a cancelled call under a lock ended without its lease", lost);
            }
        });
    }
}
