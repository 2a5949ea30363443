package dev.leasehold.internal.renew;

import dev.leasehold.event.LossCause;
import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.Validity;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.script.RenewScript;
import org.jspecify.annotations.Nullable;

/**
 * Applies the answer to a renewal, an extension or a confirmation to the lease, or to the lease that has the hold by now if it
 * was handed off.
 */
public final class RenewalJudge {

    private final RequestContext context;
    private final LeaseTermination termination;
    private final LeaseEvents events;
    private final Watchdog watchdog;

    public RenewalJudge(RequestContext context, LeaseTermination termination, LeaseEvents events, Watchdog watchdog) {
        this.context = context;
        this.termination = termination;
        this.events = events;
        this.watchdog = watchdog;
    }

    /**
     * The request that was answered.
     *
     * @param sentAt the monotonic time before it was sent
     * @param askedNanos for how long it asked; 0 if it only asked for a confirmation
     * @param surplusAtSend the surplus of the wall clock then
     * @param byWatchdog whether it counts as one of the renewals of the lease
     */
    record Asked(long sentAt, long askedNanos, long surplusAtSend, boolean byWatchdog) {}

    /** Returns whether the lease is held. */
    boolean apply(LeaseRecord record, RenewScript.Answer answer, Asked asked) {
        return switch (answer.code()) {
            case RENEWED -> renewed(record, answer.leftNanos(), asked);
            case ASKED -> {
                boolean held = renewed(record, answer.leftNanos(), asked);
                events.releaseRequested(record);
                yield held;
            }
            case GONE -> denied(record, LeaseTermination.causeOf(answer.detail()), null);
            case FOREIGN -> denied(record, LossCause.DELETED, answer.detail());
            case ENDED -> denied(record, LossCause.ENDED, null);
        };
    }

    private boolean denied(LeaseRecord record, LossCause cause, @Nullable String detail) {
        termination.disown(record.denied(cause), LeaseEvent.DISOWNED, cause, detail);
        return false;
    }

    private boolean renewed(LeaseRecord record, long left, Asked asked) {
        long now = context.now();
        if (record.holding() && now - record.lossAt(context.surplus(), context.commandNanos()) >= 0) {
            // Its holder has seen it invalid already: what was once lost is never held again.
            termination.expire(record);
            return false;
        }
        // The end was moved to what was asked, or stays where it was known to be; and it is no later than Redis saw it.
        long span = Validity.span(Math.max(asked.askedNanos, record.end() - asked.sentAt), left);
        boolean counts = asked.byWatchdog && asked.askedNanos > 0 && !record.gathering();
        LeaseRecord.Transition transition = record.confirmed(asked.sentAt, span, asked.surplusAtSend, counts);
        if (transition.after() != LeaseState.HELD) {
            return false;
        }
        long due = record.renewDueAt();
        watchdog.confirmed(record);
        if (asked.askedNanos > 0) {
            events.renewed(record, Math.max(0, now - due), record.validUntil(asked.surplusAtSend) - now);
        }
        return true;
    }
}
