package dev.leasehold.event;

/** The outcome of an acquisition that waited. */
public enum WaitOutcome {
    /** The caller holds the lock. */
    ACQUIRED,
    /** The time limit or the number of tries was exhausted while other callers held the lock. */
    BUSY,
    /** It failed for another reason: Redis did not answer or refused the request, or the client was closed. */
    FAILED,
    /** The caller cancelled: the thread was interrupted, or the future was cancelled. */
    ABANDONED
}
