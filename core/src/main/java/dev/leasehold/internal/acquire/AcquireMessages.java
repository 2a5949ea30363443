package dev.leasehold.internal.acquire;

import dev.leasehold.LeaseNotResumableException;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The exceptions of acquisitions and resumes that end without a lease.
 */
public final class AcquireMessages {

    private AcquireMessages() {}

    public static LockNotAcquiredException busy(LockKey key, Duration waited, int tries, boolean ownHold) {
        return new LockNotAcquiredException(
                key.name(),
                key.inWords() + " stayed held for all of " + waited.toMillis() + " ms and " + tries
                        + (tries == 1 ? " try" : " tries")
                        + (ownHold
                                ? ": the calling thread itself has it by lock(). Unlock it first"
                                : ". Wait longer, try again later, or inspect its holder with inspect()"));
    }

    /** The exception for an acquisition of several locks of which one is held by another client. */
    public static LockNotAcquiredException busyAmong(
            List<LockKey> keys, LockKey busy, Duration waited, boolean notRequested) {
        return new LockNotAcquiredException(
                busy.name(),
                "locks " + LockKey.listed(keys) + " were not acquired within " + waited.toMillis() + " ms: "
                        + (notRequested
                                ? "the time was over before " + busy.inWords() + " could be requested"
                                : busy.inWords() + " stayed held")
                        + ". Nothing stays held. Wait longer, try again later, or inspect its holder"
                        + " with lock(...).inspect()");
    }

    /** The exception for a single try for several locks that exceeded the command timeout before it requested this lock. */
    public static LockUnavailableException outOfTime(LockKey key) {
        return new LockUnavailableException(
                key.name(),
                false,
                "the command timeout was over before " + key.inWords()
                        + " was requested: the requests for the locks before it took that long."
                        + " Nothing stays held. Raise commandTimeout(...), or set a waitTime",
                new TransportException("not requested within the command timeout", false, null));
    }

    public static LockUnavailableException tooLate(LockKey key) {
        return new LockUnavailableException(
                key.name(),
                true,
                "Redis granted " + key.inWords() + ", but the answer arrived after the lease had ended. It is "
                        + "released. Use a longer lease, or find out what delays the network or this process",
                new TransportException("the answer arrived after the lease had ended", true, null));
    }

    /** The exception for an exported lease whose hold no longer exists. */
    public static LeaseNotResumableException notResumable(LockKey key, String why) {
        String found = switch (why) {
            case "ended" -> "it has ended without being renewed";
            case "taken" -> "another client has the lock";
            default -> "no client has the lock";
        };
        return new LeaseNotResumableException(
                key.name(),
                "the exported lease of " + key.inWords() + " no longer exists: " + found
                        + ". It was resumed already, released, ended or force-released. Acquire the lock again");
    }

    public static LeaseNotResumableException severalHolds(LockKey key, OwnerKey owner, String others) {
        return new LeaseNotResumableException(
                key.name(),
                "the exported lease of " + key.inWords() + " cannot be resumed: its owner " + owner.shown() + " has "
                        + others + " other holds with the same fencing token, which a new token would make stale."
                        + " Acquire again with ownedBy(...), which shares the token, or release the others first");
    }

    public static LockUnavailableException notResumed(LockKey key, boolean mayBeTaken, @Nullable Throwable cause) {
        return new LockUnavailableException(
                key.name(),
                mayBeTaken,
                "Redis gave no answer to the resume of " + key.inWords() + ": " + RequestFailures.reason(cause)
                        + ". "
                        + (mayBeTaken
                                ? "The lease may have been taken over; if so it is released in the background, and cannot"
                                        + " be resumed again: acquire the lock"
                                : "The lease was not taken over. Check that Redis is up and reachable, and try again"),
                cause);
    }
}
