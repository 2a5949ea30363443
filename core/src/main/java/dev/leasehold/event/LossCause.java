package dev.leasehold.event;

/** The reason why a lease was lost. */
public enum LossCause {
    /**
     * Its deadline passed, and no renewal was due any more: renewal was disabled, or its number or time was exhausted.
     */
    EXPIRED,
    /**
     * Its deadline passed without an answer that confirmed a renewal. It may still be held in Redis for a while. Also the cause if
     * Redis answers only after the end of the lease that the hold is gone.
     */
    UNCONFIRMED,
    /** Redis answered that another caller holds the lock: by a forced release first, or because the lease was exported and resumed. */
    TAKEN_OVER,
    /**
     * Redis answered that the hold is gone and the lock is free: taken away by a forced release, deleted, evicted, flushed, or
     * forgotten. Or this client itself took it away, whoever has it by then, or the client was told to release all its leases ({@link dev.leasehold.Leasehold#releaseAll()}).
     */
    DELETED,
    /** Redis answered that the hold had ended before the renewal arrived. */
    ENDED,
    /** The thread that locked ended without unlocking, so renewal stopped, or was not confirmed any more. */
    THREAD_ENDED,
    /** The lease became unreachable without being released, so renewal stopped, or was not confirmed any more. */
    ABANDONED
}
