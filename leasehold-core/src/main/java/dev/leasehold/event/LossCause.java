package dev.leasehold.event;

/** Why a lease was lost. */
public enum LossCause {
    /** Its deadline passed, and no renewal was due any more: none was wanted, or their number or time was used up. */
    EXPIRED,
    /** Its deadline passed without an answer that confirmed a renewal. It may still be held in Redis for a while. */
    UNCONFIRMED,
    /** Redis answered that another holds the lock: it was taken away, or was exported and resumed. */
    TAKEN_OVER,
    /** Redis answered that the hold is gone and nobody has the lock: deleted, evicted, flushed, or forgotten. */
    DELETED,
    /** Redis answered that the hold had ended before the renewal arrived. */
    ENDED,
    /** The thread that locked ended without unlocking, so its hold was not renewed any more. */
    THREAD_ENDED,
    /** Nobody refers to the lease any more and it was not released, so it was not renewed any more. */
    ABANDONED
}
