package dev.leasehold.simulation.history;

/** What an entry of a history tells. */
public enum What {
    /** An acquisition begins; until: when it has to have ended, 0 if it may take as long as it likes. */
    INVOKED,
    /** A lease was handed to its holder; until: its deadline by the library's own word, in true time. */
    GRANTED,
    /** The acquisition ended: another owner has the lock. */
    BUSY,
    /** The acquisition ended without an answer; note "maybe" if the lock may have been taken, else "not". */
    UNAVAILABLE,
    /** The acquisition ended with a clear refusal; note: the exception. */
    REFUSED,
    /** The caller cancelled the acquisition. */
    CANCELLED,
    /** A call of a latch ended with an answer; note: which; token: what is left to count. */
    CALLED,
    /** A wait for a latch ended: nothing is left to count. */
    CAME_THROUGH,
    /** A call of a latch, or a wait for it, ended: it is not there. */
    NOT_THERE,
    /** A candidate stands for election; token: its number. */
    STANDS,
    /** A candidate begins to leave; token: its number. */
    LEAVES,
    /** A candidate has heard that it leads: GRANTED follows; token: its number. */
    ELECTED,
    /** A candidate has heard that it leads no more, before LOST or RELEASE_INVOKED; token: its number; note: why. */
    DEMOTED,
    /** The lease was exported; until: how long after a confirmation it is renewed at the latest, 0 if it may not be. */
    EXPORTED,
    /** The holder listens for requests to release; until: how long after a confirmation it renews at the latest. */
    LISTENS,
    /** The holder heard that somebody asks for the release. */
    ASKED,
    /** The lease said that it is held; until: its deadline by its own word. */
    HELD,
    /** The lease said that it is not held. */
    NOT_HELD,
    /** {@code ensureHeld} threw. */
    THREW,
    /** The loss was told by {@code onLost}; note: the cause. */
    LOST,
    /** The holder begins to release. */
    RELEASE_INVOKED,
    /** The release ended well. */
    RELEASED,
    /** The release told of the loss. */
    RELEASE_LOST,
    /** A read of the fenced register; note "accepted" or "refused". */
    READ,
    /** A write to the fenced register; note "accepted" or "refused". */
    WROTE,
    /** A read of the unfenced witness, right after the lease said that it is held. */
    WITNESS_READ,
    /** A write to the unfenced witness, right after the lease said that it is held. */
    WITNESS_WROTE,
    /** Redis executed an acquire and granted it; until: the end of the hold; note: the acquisition id. */
    SERVER_GRANTED,
    /** Redis gave or kept a place in a fair queue; token: its number; note: the acquisition id. */
    SERVER_QUEUED,
    /** Redis freed a plain lock after long work while others waited; the first of these is the client; until: when it must have come; token: its place. */
    SERVER_KEPT,
    /** Redis let somebody in beside others while somebody waited; note "past" if the first of these waits for others to leave. */
    SERVER_JOINED,
    /** Redis let another take the hold over; token: of the other; note: the acquisition id of the former. */
    SERVER_RESUMED,
    /** Redis took the request to release for this hold; note: its acquisition id. */
    SERVER_ASKED,
    /** Redis set a latch, or found it set by the same call; token: the count; until: its end; owner: the call. */
    SERVER_SET,
    /** What is there of a latch after a fault; token: what is left; until: its end, 0 if it is gone; note: the ids counted; owner: who set it. */
    SERVER_KNOWN,
    /** Redis counted a latch down, or said that it had; token: what it said is left; until: when it was too late for that; note: the id. */
    SERVER_COUNTED,
    /** Redis said that nothing is left to count. */
    SERVER_REACHED,
    /** A client gave its place in the queue back. */
    SERVER_LEFT,
    /** Redis executed a renewal; until: the end of the hold; note: the acquisition id. */
    SERVER_RENEWED,
    /** Redis executed a release that removed the hold; token: until when late copies are refused; note: the id. */
    SERVER_RELEASED,
    /** A fault took the hold away; note: the acquisition id. */
    SERVER_GONE,
    /** Redis said that a hold is there, and it is not; note: the acquisition id. */
    SERVER_LIED,
    /** Somebody was turned away because of a hold that lies further in the future than it is long; note: its id. */
    TOO_LONG,
    /** The client received the answer that a renewed hold is not there. */
    DENIED,
    /** A fault begins; until: its end; token: the step of a clock in ns; note: its kind. */
    FAULT,
    /** A process stands still; until: when it runs again. */
    STOPPED,
    /** The clocks of a client's machine came apart: leases say nothing about the time before. */
    CLOCKS_JUMPED,
    /** A client is dead. */
    CRASHED,
    /** A client was closed. */
    CLOSED,
    /** From here on nothing goes wrong any more. */
    HEALED,
    /** A key was left without expiry, a hold without a holder, or the like; note: what. */
    LEFT_BEHIND,
    /** The end. */
    ENDED
}
