package dev.leasehold.internal.renew;

import dev.leasehold.Durability;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseValidity;
import dev.leasehold.internal.request.Lifecycle;
import dev.leasehold.internal.request.Operation;
import dev.leasehold.internal.request.RefusalMessages;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.request.Retry;
import dev.leasehold.internal.request.Step;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.spi.RedisErrorException;
import org.jspecify.annotations.Nullable;

/**
 * An extension or a confirmation that the holder of a lease requests. Its result is whether the lease is valid afterwards; if
 * Redis did not answer, it throws.
 */
public final class RenewOperation implements Operation<Boolean> {

    private final RequestContext context;
    private final LeaseValidity validity;
    private final RenewalJudge judge;
    private final LeaseRecord record;
    private final long target;
    private final boolean extending;
    private final int maxTries;
    private final long deadline;
    private boolean over;
    private boolean abandoned;
    private int tries;
    private long pauseUntil;
    private @Nullable RuntimeException problem;

    private RenewOperation(
            RequestContext context,
            LeaseValidity validity,
            RenewalJudge judge,
            LeaseRecord record,
            long target,
            boolean extending,
            int maxTries) {
        this.context = context;
        this.validity = validity;
        this.judge = judge;
        this.record = record;
        this.target = target;
        this.extending = extending;
        this.maxTries = maxTries;
        this.deadline = context.now()
                + context.commandNanos()
                + record.options().durability().within().toNanos();
    }

    /** Extends the lease to a moment. The target is fixed before the first try, so that a retry after a lost answer adds nothing. */
    static RenewOperation extendTo(
            RequestContext context, LeaseValidity validity, RenewalJudge judge, LeaseRecord record, long target) {
        record.sent().extendedTo(target - context.now());
        return new RenewOperation(context, validity, judge, record, target, true, Retry.TRIES);
    }

    /** Confirms in one try that Redis still has the hold. */
    static RenewOperation confirm(
            RequestContext context, LeaseValidity validity, RenewalJudge judge, LeaseRecord record) {
        return new RenewOperation(context, validity, judge, record, 0, false, 1);
    }

    @Override
    public Step next() {
        long now = context.now();
        if (!over && endsWithClient() && context.closed()) {
            abandon(Lifecycle.closedException());
        }
        if (!over && tries > 0 && pauseUntil - now > 0) {
            return new Step.Pause(pauseUntil);
        }
        if (over || tries == maxTries || deadline - now <= 0) {
            over = true;
            return Step.OVER;
        }
        tries++;
        long requestedNanos = extending ? target - now : 0;
        RenewalJudge.Sent sent = new RenewalJudge.Sent(now, requestedNanos, context.surplus(), false);
        LeaseSpan span = requestedNanos <= 0 ? LeaseSpan.CONFIRM : new LeaseSpan(requestedNanos);
        return new Step.Send<>(
                new RenewHold(record.key(), record.hold(), span, deadline - now),
                now,
                requestedNanos <= 0 ? Durability.none() : record.options().durability(),
                answer -> answered(answer, sent),
                // Still true, as validity counts from the moment of sending, and a loss is heard of.
                late -> judge.apply(record, late, sent));
    }

    private void answered(RenewHold.Answer answer, RenewalJudge.Sent sent) {
        judge.apply(record, answer, sent);
        problem = null;
        over = true;
    }

    @Override
    public void failed(RuntimeException failure) {
        problem = failure;
        long now = context.now();
        pauseUntil = now + Retry.pause(tries, deadline - now);
    }

    @Override
    public void abandon(@Nullable RuntimeException reason) {
        if (!over) {
            problem = reason;
            abandoned = true;
            over = true;
        }
    }

    @Override
    public Boolean outcome() {
        RuntimeException failure = problem;
        if (failure == null) {
            return validity.valid(record);
        }
        if (abandoned) {
            throw failure;
        }
        if (failure instanceof RedisErrorException error) {
            throw RefusalMessages.refused(record.key(), error, false);
        }
        throw new LockUnavailableException(
                record.key().name(),
                true,
                "Redis did not confirm the extension of " + record.key().inWords() + ": "
                        + RequestFailures.reason(failure)
                        + ". The lease keeps the deadline it had, unless a late answer confirms it",
                failure);
    }

    /** No timer runs after the client has closed, so an extension whose answer is missing would never end. */
    @Override
    public boolean endsWithClient() {
        return extending;
    }
}
