package dev.leasehold.event;

/** How an acquisition that waited came to its end. */
public enum WaitOutcome {
    /** It has the lock. */
    ACQUIRED,
    /** Its time or its tries were over, and others held the lock. */
    BUSY,
    /** It was given up for another reason: Redis did not answer or refused, or the client was closed. */
    FAILED,
    /** Its caller left: the thread was interrupted, or the future cancelled. */
    ABANDONED
}
