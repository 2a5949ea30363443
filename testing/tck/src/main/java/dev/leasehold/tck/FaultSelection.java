package dev.leasehold.tck;

import java.util.function.BiFunction;

/**
 * The faults that apply to single requests and their replies, for the requests that {@link FaultProxy#matching}
 * selected. Each method is in force when it returns, for all connections, open and new. Thread-safe.
 *
 * <p>A connection is a stream: everything behind a held request or reply waits too, and nothing overtakes.
 */
public final class FaultSelection {

    private final BiFunction<Fault.Kind, Integer, Fault> order;

    FaultSelection(BiFunction<Fault.Kind, Integer, Fault> order) {
        this.order = order;
    }

    /**
     * Drops exactly the next reply; its connection continues with the following replies. No TCP does that. A client
     * that pairs replies by their order is out of step from then on, unless the request was the last on that
     * connection. To lose a reply like a network, use one of the two other methods.
     */
    public Fault dropNextReply() {
        return dropReplies(1);
    }

    /**
     * Drops the next n replies, like {@link #dropNextReply()}.
     *
     * @throws IllegalArgumentException if n is not positive
     */
    public Fault dropReplies(int n) {
        if (n <= 0) {
            throw new IllegalArgumentException("The number of replies to drop must be positive, not " + n);
        }
        return order.apply(Fault.Kind.DROP_REPLY, n);
    }

    /** Lets the server execute the next request, but resets the client's connection instead of the reply. */
    public Fault dropNextReplyThenReset() {
        return order.apply(Fault.Kind.DROP_REPLY_THEN_RESET, 1);
    }

    /** Drops the next reply and everything after it on that connection, which stays open. */
    public Fault dropNextReplyThenSilence() {
        return order.apply(Fault.Kind.DROP_REPLY_THEN_SILENCE, 1);
    }

    /** Holds replies in the proxy until {@link FaultProxy#releaseReplies()}, even after the client has gone. */
    public Fault holdReplies() {
        return order.apply(Fault.Kind.HOLD_REPLY, Fault.ALWAYS);
    }

    /**
     * Holds requests in the proxy until {@link FaultProxy#releaseRequests()}. They then reach the server even if
     * the client has closed its connection meanwhile, like bytes in flight.
     */
    public Fault holdRequests() {
        return order.apply(Fault.Kind.HOLD_REQUEST, Fault.ALWAYS);
    }

    /** Sends the next request to the server twice; the client gets the reply to the first. */
    public Fault duplicateNextRequest() {
        return order.apply(Fault.Kind.DUPLICATE_REQUEST, 1);
    }

    /** Forwards the next request, and keeps a copy for {@link FaultProxy#replayRecorded()}. */
    public Fault recordNextRequest() {
        return order.apply(Fault.Kind.RECORD_REQUEST, 1);
    }

    /** Resets the connection of the next request, which does not reach the server. */
    public Fault resetAtNextRequest() {
        return order.apply(Fault.Kind.RESET_REQUEST, 1);
    }
}
