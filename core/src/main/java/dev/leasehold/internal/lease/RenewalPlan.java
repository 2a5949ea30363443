package dev.leasehold.internal.lease;

import dev.leasehold.event.LossCause;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The renewal plan of one lease: its next renewal, its next try, its one planned wake-up, and the renewal in flight. Times are
 * in ns on the monotonic clock. Safe for use by any thread.
 */
public final class RenewalPlan {

    // Field updaters instead of atomic objects: a client may have a hundred thousand leases.
    private static final AtomicReferenceFieldUpdater<RenewalPlan, @Nullable WakeUp> WAKE_UP =
            AtomicReferenceFieldUpdater.newUpdater(RenewalPlan.class, WakeUp.class, "wakeUp");
    private static final AtomicIntegerFieldUpdater<RenewalPlan> IN_FLIGHT =
            AtomicIntegerFieldUpdater.newUpdater(RenewalPlan.class, "inFlight");

    private volatile @Nullable WakeUp wakeUp;
    /** Odd while a renewal is in flight, and then its number. A reference from an old object to a new one would cost the collector. */
    private volatile int inFlight;

    private volatile @Nullable LossCause stopped;
    private volatile long dueAt;
    private volatile long nextTryAt;
    private volatile long suspectSince;
    private volatile boolean tracked;
    private volatile boolean longHoldReported;

    RenewalPlan() {}

    /** The one planned wake-up of a lease, which others may share. */
    public interface WakeUp {

        /** A plan does not name it any more. */
        void cancel();
    }

    /** The planned wake-up; null if there is none. */
    @Nullable
    public WakeUp wakeUp() {
        return wakeUp;
    }

    /** Replaces the planned wake-up; null stands for none. Returns false, and changes nothing, if {@code before} is outdated. */
    public boolean replaceWakeUp(@Nullable WakeUp before, @Nullable WakeUp next) {
        return WAKE_UP.compareAndSet(this, before, next);
    }

    /** Cancels the planned wake-up. */
    public void cancelWakeUp() {
        WakeUp before = WAKE_UP.getAndSet(this, null);
        if (before != null) {
            before.cancel();
        }
    }

    /** Returns whether a renewal is in flight. */
    public boolean inFlight() {
        return isRenewal(inFlight);
    }

    private static boolean isRenewal(int number) {
        return (number & 1) != 0;
    }

    /** Begins a renewal and returns its number; returns 0 if another one is in flight. */
    public int begin() {
        int before = inFlight;
        return !isRenewal(before) && IN_FLIGHT.compareAndSet(this, before, before + 1) ? before + 1 : 0;
    }

    /** Records that the renewal with this number has ended; has no effect if another one is in flight. */
    public void end(int number) {
        IN_FLIGHT.compareAndSet(this, number, number + 1);
    }

    /** The moment at which the lease is due for renewal. */
    public long dueAt() {
        return dueAt;
    }

    /** The moment of the next request for the lease: its renewal, a retry, or a confirmation. */
    public long nextTryAt() {
        return nextTryAt;
    }

    /** Plans the next renewal. */
    public void renewAt(long moment) {
        dueAt = moment;
        nextTryAt = moment;
    }

    /** Plans another try after a renewal without an answer. */
    public void retryAt(long moment) {
        nextTryAt = moment;
    }

    /** Plans an immediate confirmation, because the clocks disagree since this moment. */
    public void suspectedAt(long now) {
        nextTryAt = now;
        suspectSince = now;
    }

    /** The moment at which the lease last became suspect. */
    long suspectSince() {
        return suspectSince;
    }

    /** Returns whether Redis is to tell of changes of the key. */
    public boolean tracked() {
        return tracked;
    }

    /** Records that Redis is to tell of changes of the key. */
    void track() {
        tracked = true;
    }

    /** Records that nobody hears of them yet. */
    void untrack() {
        tracked = false;
    }

    /** Returns whether a long hold was reported, or need not be reported. */
    public boolean longHoldReported() {
        return longHoldReported;
    }

    /** Records that a long hold was reported, or need not be reported. */
    public void reportedLongHold() {
        longHoldReported = true;
    }

    /** The cause for which renewal has stopped; null if it has not. */
    @Nullable
    public LossCause stopped() {
        return stopped;
    }

    /** Stops the renewal; a lease that ends after that is lost for this cause. */
    public void stop(LossCause cause) {
        stopped = cause;
    }
}
