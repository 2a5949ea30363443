package dev.leasehold.internal.release;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.request.RequestFailures;

/**
 * The exceptions of release requests and downgrades.
 */
public final class ReleaseMessages {

    private ReleaseMessages() {}

    public static UnsupportedOperationException noRequests(LockKey key) {
        if (key.kind() == LockKind.QUORUM) {
            return new UnsupportedOperationException(
                    "the release of " + key.inWords()
                            + " cannot be requested: its servers have no common token that identifies the holder. Use forceRelease()");
        }
        return new UnsupportedOperationException("the release of " + key.inWords()
                + " cannot be requested: its format stores no requests. Use forceRelease(), or a lock in the format"
                + " LockFormat.leasehold()");
    }

    /**
     * The exception for a downgrade that Redis did not confirm.
     *
     * @param stays whether the hold stays until its lease ends, because its minimum is not over
     */
    public static LockUnavailableException notDowngraded(LockKey key, boolean stays, RuntimeException failure) {
        if (failure instanceof LockUnavailableException unavailable) {
            return unavailable;
        }
        return new LockUnavailableException(
                key.name(),
                true,
                "Redis did not confirm that the writer of " + key.inWords() + " is a reader now: "
                        + RequestFailures.reason(failure)
                        + ". Neither lease is held, and the lock "
                        + (stays
                                ? "stays locked until its lease ends, because its minHold is not over: acquire it again then"
                                : "is released in the background: acquire it again"),
                failure);
    }
}
