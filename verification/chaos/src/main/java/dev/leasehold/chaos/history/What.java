package dev.leasehold.chaos.history;

/** What a line of a history tells. */
public enum What {
    /** An acquisition begins; value: the lease in ns; note: how long it may wait in ns, whether it is renewed, whether it reads. */
    INVOKED,
    /** A lease was handed out; token; value: the least that it said of its end. */
    GRANTED,
    /** Another holds the lock. */
    BUSY,
    /** No answer; note: "maybe" if the lock may have been taken, else "not". */
    UNAVAILABLE,
    /** A clear refusal; note: the exception. */
    REFUSED,
    /** The lease said that it is held, asked at this moment or later. */
    HELD,
    /** The lease said that it is not held, at this moment or before. */
    NOT_HELD,
    /** The loss was told; note: the cause. */
    LOST,
    /** The holder begins to release. */
    RELEASING,
    /** The release ended well. */
    RELEASED,
    /** The release told of the loss. */
    RELEASE_LOST,
    /** A named owner counted its holds in Redis; token: how many it entered; value: how many there are; note: how many more may be. */
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
    /** The process that is named as thread stands still from now on. */
    STOPPED,
    /** The process that is named as thread runs again. */
    CONTINUED,
    /** The wall clock of the process that is named as thread is put forward or back from now on. */
    CLOCK_MOVED,
    /** The process that is named as thread is dead. */
    KILLED,
    /** How many live holds a lock has in Redis; value. */
    SAMPLED,
    /** From here on nothing goes wrong any more. */
    HEALED,
    /** Nobody acquires any more. */
    ENDED,
    /** Something was left behind; note: what. */
    LEFT,
    /** All was looked through for what was left; value: how much was looked at. */
    LOOKED
}
