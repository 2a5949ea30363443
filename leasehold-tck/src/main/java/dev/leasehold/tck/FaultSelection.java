package dev.leasehold.tck;

import java.util.function.BiFunction;

/**
 * The faults that strike single requests and their replies, for the requests that {@link FaultProxy#matching} chose.
 * Each method is in force when it returns, for all connections, open and new. Thread-safe.
 *
 * <p>A connection is a stream: what comes behind a held request or reply waits too, and nothing overtakes.
 */
public final class FaultSelection {

    private final BiFunction<Fault.Kind, Integer, Fault> order;

    FaultSelection(BiFunction<Fault.Kind, Integer, Fault> order) {
        this.order = order;
    }

    /**
     * The next reply does not reach the client, and exactly that: its connection goes on with the replies after it.
     * No TCP does that; a client that pairs replies by their order is out of step from then on, unless the request
     * was the last it sent there. To lose a reply as networks do, take one of the two other methods.
     */
    public Fault dropNextReply() {
        return dropReplies(1);
    }

    /**
     * As {@link #dropNextReply()}, for the next n replies.
     *
     * @throws IllegalArgumentException if n is not positive
     */
    public Fault dropReplies(int n) {
        if (n <= 0) {
            throw new IllegalArgumentException("The number of replies to drop must be positive, not " + n);
        }
        return order.apply(Fault.Kind.DROP_REPLY, n);
    }

    /** The server does what it is asked next, but instead of its reply the client gets a reset of the connection. */
    public Fault dropNextReplyThenReset() {
        return order.apply(Fault.Kind.DROP_REPLY_THEN_RESET, 1);
    }

    /** The next reply does not reach the client, nor does anything after it on that connection, which stays open. */
    public Fault dropNextReplyThenSilence() {
        return order.apply(Fault.Kind.DROP_REPLY_THEN_SILENCE, 1);
    }

    /** Replies wait in the proxy until {@link FaultProxy#releaseReplies()}, also when the client has gone. */
    public Fault holdReplies() {
        return order.apply(Fault.Kind.HOLD_REPLY, Fault.ALWAYS);
    }

    /**
     * Requests wait in the proxy until {@link FaultProxy#releaseRequests()}. They reach the server then even if the
     * client has closed its connection meanwhile, as bytes do that were under way.
     */
    public Fault holdRequests() {
        return order.apply(Fault.Kind.HOLD_REQUEST, Fault.ALWAYS);
    }

    /** The next request reaches the server twice, at once; the client gets the reply to the first. */
    public Fault duplicateNextRequest() {
        return order.apply(Fault.Kind.DUPLICATE_REQUEST, 1);
    }

    /** The next request passes, and a copy is kept for {@link FaultProxy#replayRecorded()}. */
    public Fault recordNextRequest() {
        return order.apply(Fault.Kind.RECORD_REQUEST, 1);
    }

    /** The next request does not reach the server; its connection is reset instead. */
    public Fault resetAtNextRequest() {
        return order.apply(Fault.Kind.RESET_REQUEST, 1);
    }
}
