package dev.leasehold.internal.acquire;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.ProcessHold;
import dev.leasehold.internal.lease.Validity;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.ServerTime;
import org.jspecify.annotations.Nullable;

/**
 * The hold that one acquisition requests, and what is known of its requests: a request without an answer may still be
 * granted until its time is over. Whatever may have been granted is given back when the acquisition ends without it.
 */
final class RequestedHold {

    private final RequestContext context;
    private final LeaseTable leases;
    private final LeaseTermination termination;
    private final AcquireRequest request;
    private LeaseRecord record;

    /** Until when a request without an answer may still be granted; NONE if all were answered. */
    private ServerTime openUntil = ServerTime.NONE;

    /** Whether a hold under an earlier id may still be there: it is being given back. */
    private boolean leftBehind;

    private boolean inFlight;
    private long sentAt;
    private long surplusAtSend;
    /** When Redis grants the latest request at the latest. */
    private ServerTime notAfter = ServerTime.NONE;

    RequestedHold(RequestContext context, LeaseTable leases, LeaseTermination termination, AcquireRequest request) {
        this.context = context;
        this.leases = leases;
        this.termination = termination;
        this.request = request;
        this.record = add();
    }

    private LeaseRecord add() {
        LeaseRecord fresh =
                leases.add(request.key(), request.owner(), request.options(), request.thread(), request.tied());
        fresh.begunAt(context.now());
        return fresh;
    }

    /** The record of the lease, under the present id. */
    LeaseRecord record() {
        return record;
    }

    /** Returns whether no request under the present id can be granted any more. */
    boolean answered() {
        return openUntil.micros() == 0;
    }

    /** The present id, if a request under it has no answer; else null. */
    @Nullable
    AcquisitionId unanswered() {
        return inFlight || !answered() ? record.id() : null;
    }

    /** A request is about to be sent. Returns when Redis grants it at the latest. */
    ServerTime sending(long now, long timeoutNanos) {
        sentAt = now;
        surplusAtSend = context.checkClocks();
        notAfter = context.serverTimeAt(request.key(), now + timeoutNanos);
        inFlight = true;
        if (openUntil.micros() > 0 || !context.atMostOnce()) {
            // An earlier copy may have a later end: what is known of Redis' clock gets better from answer to answer.
            record.sent().copyUntil(openUntil.orLater(notAfter));
        }
        return notAfter;
    }

    /** When the latest request was sent. */
    long sentAt() {
        return sentAt;
    }

    /** The latest request was answered, or has failed. */
    void ended() {
        inFlight = false;
    }

    /** The latest request got no answer, or one that is of no use. */
    void mayBeGranted() {
        openUntil = openUntil.orLater(notAfter);
    }

    /**
     * The latest request was not granted. A transport that may send twice may still have another copy of it, in the buffer of
     * a connection that broke, which is granted when the lock is free.
     */
    void notGranted() {
        if (!context.atMostOnce()) {
            openUntil = openUntil.orLater(notAfter);
        }
    }

    /** Redis has granted the latest request. Returns false, and changes nothing, if too little is left of the hold by now. */
    boolean granted(AcquireHold.Answer answer, long now) {
        long span = Validity.span(record.leaseNanos(), answer.leftNanos());
        if (Validity.ended(now, sentAt, span, context.surplus() - surplusAtSend)) {
            return false;
        }
        if (answer.lastToken() > answer.token()) {
            ProcessHold unused = record.reserved(answer.lastToken(), sentAt);
        }
        record.granted(answer.token(), sentAt, answer.leftNanos(), surplusAtSend);
        return true;
    }

    /** The hold of the present id is over, and its id must not be used again: goes on under another. */
    void startAgain() {
        leftBehind |= openUntil.micros() > 0;
        abandon();
        record = add();
        openUntil = ServerTime.NONE;
    }

    /** Ends the record without a lease, and gives back what may have been granted. */
    void abandon() {
        if (inFlight) {
            mayBeGranted();
        }
        if (openUntil.micros() > 0) {
            record.apply(LeaseEvent.OUTCOME_UNKNOWN);
            termination.compensate(record, openUntil);
        } else {
            record.apply(LeaseEvent.GAVE_UP);
        }
        leases.forget(record);
    }

    /** Returns whether the lock may be taken by this acquisition though it has no lease. */
    boolean mayBeTaken() {
        return openUntil.micros() > 0 || leftBehind;
    }
}
