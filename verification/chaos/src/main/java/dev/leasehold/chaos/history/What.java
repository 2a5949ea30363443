package dev.leasehold.chaos.history;

/** The kind of a line of a history. */
public enum What {
    /**
     * An acquisition begins; value: the lease in ns; note: its wait time in ns, whether it is renewed, whether it
     * reads.
     */
    INVOKED,
    /** A lease was granted; token; value: the moment until which it lasts at least, by its own report. */
    GRANTED,
    /** A wait at a latch has ended; value: how many count-downs had not yet begun when it opened. */
    OPENED,
    /** Another holds the lock. */
    BUSY,
    /** No answer; note: "maybe" if the lock may have been taken, else "not". */
    UNAVAILABLE,
    /** A refusal; note: the exception. */
    REFUSED,
    /**
     * The lease reported that it is held, when queried at this moment or later; value: the moment until which it lasts at
     * least, by its own report.
     */
    HELD,
    /** The lease reported that it is not held, at this moment or before. */
    NOT_HELD,
    /** The loss was reported; note: the cause. */
    LOST,
    /** The holder begins to release. */
    RELEASING,
    /** The release succeeded. */
    RELEASED,
    /** The release reported the loss. */
    RELEASE_LOST,
    /**
     * A named owner counted its holds in Redis; token: how many it entered; value: how many there are; note: how
     * many more may exist.
     */
    COUNTED,
    /** The unfenced witness was read; value. */
    WITNESS_READ,
    /** The unfenced witness was written; value; note: "lost" if it overwrote another's increment. */
    WITNESS_WROTE,
    /** A read of the fenced register; note: "accepted" or "refused". */
    READ,
    /** A write to the fenced register; value; note: "accepted" or "refused". */
    WROTE,
    /** A fault begins; op: its number; thread: its target; note: its kind. */
    FAULT_BEGINS,
    /** A fault has ended; op: its number; note: its kind. */
    FAULT_ENDS,
    /** The process that is named as thread is stopped from now on. */
    STOPPED,
    /** The process that is named as thread runs again. */
    CONTINUED,
    /** The wall clock of the process that is named as thread is moved forward or back from now on. */
    CLOCK_MOVED,
    /** The process that is named as thread is dead. */
    KILLED,
    /** A client reported a deadlock; note: who waits for which lock. */
    DEADLOCK,
    /** The number of live holds of a lock in Redis; value. */
    SAMPLED,
    /** From here on there are no faults any more. */
    HEALED,
    /** From here on there are no acquisitions any more. */
    ENDED,
    /** Something was left behind; note: its description. */
    LEFT,
    /** The search for leftovers has ended; value: the number of inspected items. */
    INSPECTED
}
