package dev.leasehold.simulation.history;

/** The kind of an entry of a history. */
public enum What {
    /**
     * An acquisition begins; until: when it has to have ended, 0 if it has no limit; token: the number of permits, or in a quorum the
     * TIME of the server whose clock is last, in us.
     */
    INVOKED,
    /** The acquisition that has just begun has a minimum hold; until: its length. */
    HAS_MINIMUM,
    /** The acquisition that has just begun waits for the replica, and so do its renewals. */
    AWAITS_REPLICA,
    /** A lease was returned to its caller; until: its deadline that the library reported, in true time. */
    GRANTED,
    /** The acquisition ended: another owner has the lock. */
    BUSY,
    /** The acquisition ended without an answer; note "maybe" if the lock may have been taken, else "not". */
    UNAVAILABLE,
    /** The acquisition ended with a refusal; note: the exception. */
    REFUSED,
    /** The caller cancelled the acquisition. */
    CANCELLED,
    /** A call of a latch ended with an answer; note: the call; token: the remaining count. */
    CALLED,
    /** A wait for a latch ended: nothing is left to count. */
    PASSED,
    /** A call of a latch, or a wait for it, ended: the latch does not exist. */
    ABSENT,
    /** A candidacy begins; token: its number. */
    CANDIDACY_BEGINS,
    /** A candidate begins to leave; token: its number. */
    CANDIDACY_ENDS,
    /** A candidate was notified that it leads: GRANTED follows; token: its number. */
    ELECTED,
    /** A candidate was notified that it leads no more, before LOST or RELEASE_INVOKED; token: its number; note: why. */
    DEMOTED,
    /** The lease was exported; until: how long after a confirmation it is renewed at the latest, 0 if it may not be. */
    EXPORTED,
    /** The holder listens for requests to release; until: how long after a confirmation it renews at the latest. */
    LISTENS,
    /** The holder received a release request. */
    REQUESTED,
    /** The lease reported that it is held; until: the deadline it reported. */
    HELD,
    /** The lease reported that it is not held. */
    NOT_HELD,
    /** {@code ensureHeld} threw. */
    THREW,
    /** The loss was reported to {@code onLost}; note: the cause. */
    LOST,
    /** The holder begins to release; note: whether by a downgrade. */
    RELEASE_INVOKED,
    /** The release succeeded. */
    RELEASED,
    /** The release reported the loss. */
    RELEASE_LOST,
    /** A read of the fenced register; note "accepted" or "refused". */
    READ,
    /** A write to the fenced register; note "accepted" or "refused". */
    WROTE,
    /** A read of the unfenced witness, right after the lease reported that it is held. */
    WITNESS_READ,
    /** A write to the unfenced witness, right after the lease reported that it is held. */
    WITNESS_WROTE,
    /** Redis, or a majority of several servers, executed an acquire and granted it; until: the end of the hold; note: the acquisition id. */
    SERVER_GRANTED,
    /** Redis assigned or kept a position in a fair queue; token: its number; note: the acquisition id. */
    SERVER_QUEUED,
    /**
     * Redis freed a plain lock after long work while others waited; the first of these is the client; until: the
     * end of its reservation; token: its position.
     */
    SERVER_RESERVED,
    /**
     * Redis granted a hold beside others while a client waited; note "past" if the first of these waits for others
     * to leave.
     */
    SERVER_JOINED,
    /** Redis let another client resume the hold; token: of the other; note: the acquisition id of the former. */
    SERVER_RESUMED,
    /** Redis made the hold of a writer one of readers; token: theirs; note: its acquisition id. */
    SERVER_SHARED,
    /** Redis took the release request for this hold; note: its acquisition id. */
    SERVER_REQUESTED,
    /** Redis set a latch, or found it set by the same call; token: the count; until: its end; owner: the call. */
    SERVER_SET,
    /**
     * The state of a latch after a fault; token: the remaining count; until: its end, 0 if it is gone; note: the
     * ids counted; owner: the call that set it.
     */
    SERVER_KNOWN,
    /**
     * Redis counted a latch down, or answered that it had; token: the remaining count of the answer; until: when it
     * was too late for that; note: the id.
     */
    SERVER_COUNTED,
    /** Redis answered that nothing is left to count. */
    SERVER_REACHED,
    /** A client gave its position in the queue up. */
    SERVER_LEFT,
    /** One server of a quorum granted, and counts; token: its number; note: the id of the try. */
    QUORUM_GRANTED,
    /** Redis executed a renewal; until: the end of the hold; note: the acquisition id. */
    SERVER_RENEWED,
    /** The replica received a grant or a renewal; until: the end of the hold; note: the acquisition id. */
    REPLICATED,
    /** Redis let the client retain a hold that it had not retained before; until: the end of the hold; note: the id. */
    SERVER_RETAINED,
    /** Redis found a client that retains the lock, and asks it to release; note: the id. */
    SERVER_ASKED,
    /** Redis let the client hand off the lock further; note: the acquisition id. */
    SERVER_WENT_ON,
    /** The client received the request to release a lock that it retains. */
    HEARD,
    /** Redis executed a release that removed the hold; token: until when late copies are refused; note: the id. */
    SERVER_RELEASED,
    /** Redis keeps a released hold for the rest of its minimum; token: that of what is kept; until: its end; note: the acquisition id. */
    SERVER_KEPT,
    /** A client takes the lock away from its holders; until: when its call ends. */
    FORCES,
    /** Redis took the lock away from its holders. */
    SERVER_FORCED,
    /** A client changes the number of permits of a semaphore; token: the new one; until: when its call ends. */
    CHANGES_PERMITS,
    /** Redis changed the number of permits of a semaphore for a client. */
    SERVER_CHANGED,
    /** From here on a semaphore has this number of permits, after a change or with a grant; token: the number. */
    SERVER_PERMITS,
    /** A client sent a request over a connection that is silent; note: the connection. */
    ASKED_IN_VAIN,
    /** A client replaced a silent connection; note: the connection. */
    RECONNECTED,
    /** A fault, or a forced release, removed the hold; note: the acquisition id. */
    SERVER_GONE,
    /** Redis answered that a hold exists, and it does not; note: the acquisition id. */
    SERVER_MISREPORTED,
    /** A request was refused because of a hold whose end is further in the future than its length; note: its id. */
    TOO_LONG,
    /** The client received the answer that a renewed hold does not exist. */
    DENIED,
    /** A fault begins; until: its end; token: the step of a clock in ns; owner: the server of a quorum; note: its kind. */
    FAULT,
    /** A process is stopped; until: when it runs again. */
    STOPPED,
    /** The clocks of a client's machine differ: leases are unconfirmed for the time before. */
    CLOCKS_JUMPED,
    /** A client is dead. */
    CRASHED,
    /** A client was closed. */
    CLOSED,
    /** From here on there are no faults any more. */
    HEALED,
    /** A key was left without expiry, a hold without a holder, or the like; note: the description. */
    LEFT_BEHIND,
    /** The end. */
    ENDED
}
