package dev.leasehold.internal.release;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.MinimumHold;
import dev.leasehold.internal.lease.TokenFloors;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ResumeHold;

/**
 * The requests in place of a release while the minimum hold of a lease is not over. Redis takes the hold over under an id that
 * nobody renews, for the rest of the minimum: so a renewal that is still in flight does not find it. A repeat has the same id.
 * The hold of a reader, which was a writer, stays one of readers.
 */
final class KeepRequests {

    private static final String LABEL = "released; kept for minHold";

    private final RequestContext context;
    private final String process;
    private final TokenFloors floors;
    private final LeaseRecord record;
    private final AcquisitionId id;

    KeepRequests(RequestContext context, String process, TokenFloors floors, LeaseRecord record, AcquisitionId id) {
        this.context = context;
        this.process = process;
        this.floors = floors;
        this.record = record;
        this.id = id;
    }

    /** Returns whether the minimum is not over. */
    boolean due(long now) {
        return MinimumHold.rest(record, now) > 0;
    }

    /** Returns the request; it must be {@link #due}. */
    ResumeHold request(long now, long deadline) {
        return new ResumeHold(
                record.key(),
                id,
                new ResumeHold.Former(record.hold(), record.sent().copiesUntil()),
                record.key().kind() == LockKind.READ ? OwnerKey.read(OwnerKey.READERS) : OwnerKey.anonymous(id),
                // Rounded up: Redis counts in microseconds.
                new LeaseSpan(MinimumHold.rest(record, now) + 999),
                context.serverTimeAt(record.key(), deadline),
                floors.above(record),
                new Holder(process, "", LABEL),
                deadline - now);
    }

    /** Records the token that Redis gave to the hold, so that the next token of this name is higher. */
    void granted(ResumeHold.Answer answer) {
        floors.seen(record.key(), answer.token(), record.leaseNanos(), context.now());
    }
}
