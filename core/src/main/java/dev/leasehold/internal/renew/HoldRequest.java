package dev.leasehold.internal.renew;

import dev.leasehold.Durability;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.RenewHolds;
import org.jspecify.annotations.Nullable;

/** A request for one hold that can share a request to Redis with others: a renewal, a confirmation, or a check. */
abstract class HoldRequest implements BatchSender.Request<RenewHold.Answer> {

    final RequestContext context;
    final LeaseRecord record;

    HoldRequest(RequestContext context, LeaseRecord record) {
        this.context = context;
        this.record = record;
    }

    /** Returns whether the request may wait for the few ms of one tick of the timer. */
    abstract boolean toleratesDelay();

    /** The replicas or disks that must acknowledge it. */
    abstract Durability durability();

    /** The span of this request in a batch; sent alone, it may be a confirmation instead. */
    abstract LeaseSpan spanInBatch();

    /** Returns whether it is still to be sent; called immediately before that. */
    abstract boolean ready(long now, long surplus);

    /** The requested span; known after {@link #ready}. */
    abstract LeaseSpan span();

    final int slot() {
        return record.key().slot();
    }

    final LockKind kind() {
        return record.key().kind();
    }

    final boolean ofNamedOwner() {
        return record.ofNamedOwner();
    }

    final RenewHolds.Entry entry() {
        return new RenewHolds.Entry(record.key(), record.hold());
    }

    final long timeoutNanos() {
        return RenewalSchedule.timeout(record.leaseNanos(), context.commandNanos())
                + durability().within().toNanos();
    }

    /** Returns the request for this hold alone, after Redis refused one for many, or for another span than theirs. */
    @Override
    public final @Nullable RenewHold prepare(long now) {
        return ready(now, context.surplus())
                ? new RenewHold(record.key(), record.hold(), span(), timeoutNanos())
                : null;
    }

    /** Applies a late answer, which is still true: validity counts from the moment of sending. */
    @Override
    public final void answeredLate(long sentAt, RenewHold.Answer answer) {
        answered(sentAt, answer);
    }
}
