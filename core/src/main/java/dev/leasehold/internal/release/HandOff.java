package dev.leasehold.internal.release;

import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LocalGrant;
import dev.leasehold.internal.lease.ProcessHold;
import dev.leasehold.internal.lease.TokenFloors;
import dev.leasehold.internal.lease.Validity;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.store.ContinueHandOff;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.wait.LocalHandOff;

/**
 * Hands off the lock of a released lease to the next waiter of this process.
 *
 * <p>Only where neither lease could tell the two holds apart: from a clean release of a lease that was held beyond doubt and
 * never extended, between leases of default ownership with the same lease time and renewal. A run ends when its tokens are
 * spent, after its time, or when less is left of the hold than the next lease may count on; then Redis is asked, which knows
 * whether other processes wait.
 */
final class HandOff {

    private final RequestContext context;
    private final TokenFloors floors;
    private final LocalHandOff local;
    private final LeaseRecord record;
    private long checkedAt;
    private long surplusAtCheck;
    private int followers;
    private long surplusAtSend;

    HandOff(RequestContext context, TokenFloors floors, LocalHandOff local, LeaseRecord record) {
        this.context = context;
        this.floors = floors;
        this.local = local;
        this.record = record;
    }

    /** Checks whether the lease, held beyond doubt until this release, may be followed by another. */
    boolean checkNow() {
        surplusAtCheck = context.surplus();
        checkedAt = context.now();
        return !context.closed()
                && !record.exported()
                && !record.sent().extended()
                && record.plan().stopped() == null
                && !record.suspicious(surplusAtCheck)
                && checkedAt - record.validUntil(surplusAtCheck) < 0;
    }

    /** Hands off the hold as it was when that was allowed; false if no waiter takes it, or Redis must be asked first. */
    boolean now() {
        LocalGrant grant = record.next(checkedAt, surplusAtCheck);
        return grant != null && local.hand(record, grant);
    }

    /** Counts the local waiters that could take the hold over. Returns whether Redis is to be asked: there are some, and nobody shares it. */
    boolean findFollowers() {
        followers = local.followers(record);
        return followers > 0 && record.mayHandOff();
    }

    /** The question to Redis whether waiters of other processes come first. */
    ContinueHandOff question(long timeoutNanos) {
        surplusAtSend = context.surplus();
        return new ContinueHandOff(
                record.key(),
                record.hold(),
                new LeaseSpan(record.leaseNanos()),
                local.position(record.key().write()),
                ProcessHold.tokens(followers),
                timeoutNanos);
    }

    /** Returns whether the lock was handed off. */
    boolean answered(ContinueHandOff.Answer answer, long sentAt) {
        if (answer.code() != ContinueHandOff.Code.GOING) {
            return false;
        }
        long now = context.now();
        floors.seen(record.key(), answer.lastToken(), record.leaseNanos(), now);
        long span = Validity.span(record.leaseNanos(), answer.leftNanos());
        long validUntil = sentAt + span - Validity.drift(span);
        if (now - (validUntil - (context.surplus() - surplusAtSend)) >= 0) {
            return false;
        }
        ProcessHold hold = record.reserved(answer.lastToken(), sentAt);
        return local.hand(record, new LocalGrant(hold, answer.token(), now, sentAt + span, validUntil, surplusAtSend));
    }
}
