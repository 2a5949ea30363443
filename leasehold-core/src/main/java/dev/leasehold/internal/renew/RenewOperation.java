package dev.leasehold.internal.renew;

import dev.leasehold.Durability;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseValidity;
import dev.leasehold.internal.lease.LockMessages;
import dev.leasehold.internal.request.Operation;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.request.Retry;
import dev.leasehold.internal.request.Step;
import dev.leasehold.internal.script.LeaseSpan;
import dev.leasehold.internal.script.RenewScript;
import dev.leasehold.spi.RedisErrorException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The holder himself asks for more time, or for a mere confirmation. The outcome is whether the lease is valid then; it
 * is thrown that Redis did not answer.
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
    private int tries;
    private long pauseUntil;
    private long sentAt;
    private long asked;
    private long surplusAtSend;
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

    /** Up to this moment. The target is fixed before the first try, so that a second one after a lost answer adds nothing. */
    static RenewOperation extendTo(
            RequestContext context, LeaseValidity validity, RenewalJudge judge, LeaseRecord record, long target) {
        record.askedFor(target - context.now());
        return new RenewOperation(context, validity, judge, record, target, true, Retry.TRIES);
    }

    /** Whether Redis still has the hold; asked once. */
    static RenewOperation confirm(
            RequestContext context, LeaseValidity validity, RenewalJudge judge, LeaseRecord record) {
        return new RenewOperation(context, validity, judge, record, 0, false, 1);
    }

    @Override
    public Step next() {
        long now = context.now();
        if (!over && tries > 0 && pauseUntil - now > 0) {
            return new Step.Pause(pauseUntil);
        }
        if (over || tries == maxTries || deadline - now <= 0) {
            over = true;
            return new Step.Over();
        }
        tries++;
        sentAt = now;
        asked = extending ? target - now : 0;
        surplusAtSend = context.surplus();
        LeaseSpan span = asked <= 0 ? LeaseSpan.CONFIRM : new LeaseSpan(asked);
        return new Step.Send(
                context.scripts().of(record.key().kind()).renew(record.key(), record.hold(), span, deadline - now),
                now,
                true,
                asked <= 0 ? Durability.none() : record.options().durability());
    }

    @Override
    public void answered(List<String> reply) {
        RenewScript.Answer answer;
        try {
            answer = RenewScript.parse(reply);
        } catch (RuntimeException e) {
            failed(RequestFailures.unreadable(e));
            return;
        }
        context.seen(answer.now(), sentAt);
        judge.apply(record, answer, new RenewalJudge.Asked(sentAt, asked, surplusAtSend, false));
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
            over = true;
        }
    }

    @Override
    public Boolean outcome() {
        RuntimeException failure = problem;
        if (failure == null) {
            return validity.valid(record);
        }
        if (failure instanceof RedisErrorException error) {
            throw LockMessages.refused(record.key(), error, false);
        }
        throw new LockUnavailableException(
                record.key().name(),
                true,
                "Redis did not confirm the extension of lock " + record.key().shown() + ": "
                        + LockMessages.reason(failure) + ". The lease keeps the deadline it had",
                failure);
    }

    @Override
    public boolean endsWithClient() {
        return false;
    }
}
