package dev.leasehold.internal.lease;

import dev.leasehold.internal.store.ServerTime;

/**
 * What the requests for one hold may have left in Redis: its release depends on it, whichever lease releases it. Safe for use by any
 * thread.
 */
public final class SentRequests {

    private volatile long longestSpan;
    private volatile boolean extended;
    private volatile boolean lean;
    private volatile ServerTime copiesUntil = ServerTime.NONE;

    SentRequests(long leaseNanos) {
        longestSpan = leaseNanos;
    }

    /** The longest span in ns that was ever requested: no copy of a request makes the hold last longer. */
    public long longestSpan() {
        return longestSpan;
    }

    /** Records that another lease, of this time, has the hold. */
    void passedOn(long leaseNanos) {
        longestSpan = Math.max(longestSpan, leaseNanos);
        lean = false;
    }

    /** Records that an extension to this span is requested. */
    public void extendedTo(long span) {
        if (span > longestSpan) {
            longestSpan = span;
            extended = true;
        }
    }

    /** Returns whether the hold may last for longer than any lease that had it. */
    public boolean extended() {
        return extended;
    }

    /** Returns whether the request for a free lock was sent last, and without a label: then the hold has the fewest fields. */
    public boolean lean() {
        return lean;
    }

    /** Records whether the request for a free lock, without a label, is sent. */
    public void lean(boolean value) {
        lean = value;
    }

    /** The time until which a second copy of the acquire could be granted; NONE if only one was sent. */
    public ServerTime copiesUntil() {
        return copiesUntil;
    }

    /** Records that a second copy of the acquire could be granted until then. */
    public void copyUntil(ServerTime until) {
        copiesUntil = copiesUntil.orLater(until);
    }
}
