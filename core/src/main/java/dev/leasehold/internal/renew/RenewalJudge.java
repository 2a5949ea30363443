package dev.leasehold.internal.renew;

import dev.leasehold.event.LossCause;
import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.Transition;
import dev.leasehold.internal.lease.Validity;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.store.RenewHold;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Applies the answer to a renewal, an extension or a confirmation to the lease; if the hold has been handed off meanwhile, to
 * the lease that has it now.
 */
public final class RenewalJudge {

    private final RequestContext context;
    private final LeaseTermination termination;
    private final LeaseEvents events;
    private final Watchdog watchdog;
    private final Consumer<LeaseRecord> onConfirmed;
    private final RenewalFailures failures;

    /** @param onConfirmed is notified of each lease whose hold Redis prolonged */
    public RenewalJudge(
            RequestContext context,
            LeaseTermination termination,
            LeaseEvents events,
            Watchdog watchdog,
            Consumer<LeaseRecord> onConfirmed) {
        this.context = context;
        this.termination = termination;
        this.events = events;
        this.watchdog = watchdog;
        this.onConfirmed = onConfirmed;
        this.failures = new RenewalFailures(context, events);
    }

    /**
     * The request that was answered.
     *
     * @param sentAt the monotonic time before it was sent
     * @param requestedNanos the span that it requested; 0 for a confirmation
     * @param surplusAtSend the surplus of the wall clock at that moment
     * @param byWatchdog whether it counts as one of the renewals of the lease
     */
    record Sent(long sentAt, long requestedNanos, long surplusAtSend, boolean byWatchdog) {}

    /** A renewal was not answered, or Redis refused it; it is tried again. */
    void failed(LeaseRecord record, Throwable failure) {
        failures.failed(record, failure);
    }

    /** Applies an answer and returns whether the lease is held. */
    boolean apply(LeaseRecord record, RenewHold.Answer answer, Sent request) {
        return switch (answer.code()) {
            case RENEWED -> renewed(record, answer.leftNanos(), request);
            case ASKED -> {
                boolean held = renewed(record, answer.leftNanos(), request);
                events.releaseRequested(record);
                yield held;
            }
            case GONE, FOREIGN, ENDED -> missing(record, answer);
        };
    }

    /** Applies the answer to a check: what is there stays as it is. */
    void checked(LeaseRecord record, RenewHold.Answer answer) {
        switch (answer.code()) {
            case RENEWED -> {}
            case ASKED -> events.releaseRequested(record);
            case GONE, FOREIGN, ENDED -> missing(record, answer);
        }
    }

    private boolean missing(LeaseRecord record, RenewHold.Answer answer) {
        return switch (answer.code()) {
            case GONE -> denied(record, LeaseTermination.causeOf(answer.detail()), null);
            case FOREIGN -> denied(record, LossCause.DELETED, answer.detail());
            case ENDED -> denied(record, LossCause.ENDED, null);
            case RENEWED, ASKED -> throw new IllegalArgumentException("the hold is there: " + answer);
        };
    }

    private boolean denied(LeaseRecord record, LossCause cause, @Nullable String detail) {
        termination.disown(record.denied(cause), LeaseEvent.DISOWNED, cause, detail);
        return false;
    }

    private boolean renewed(LeaseRecord record, long left, Sent request) {
        long now = context.now();
        if (record.holding() && now - record.lossAt(context.surplus(), context.commandNanos()) >= 0) {
            // The holder may have found the lease invalid already: a lost lease is never held again.
            termination.expire(record);
            return false;
        }
        // The end is the later of the requested one and the one known before, but no later than Redis reported it.
        long span = Validity.span(Math.max(request.requestedNanos, record.end() - request.sentAt), left);
        boolean counts = request.byWatchdog && request.requestedNanos > 0 && !record.gathering();
        Transition transition = record.confirmed(request.sentAt, span, request.surplusAtSend, counts);
        if (transition.after() != LeaseState.HELD) {
            return false;
        }
        if (transition.before() == LeaseState.UNCONFIRMED) {
            failures.confirmedAgain(record);
        }
        long due = record.plan().dueAt();
        watchdog.confirmed(record);
        if (request.requestedNanos > 0) {
            events.renewed(record, Math.max(0, now - due), record.validUntil(request.surplusAtSend) - now);
            onConfirmed.accept(record);
        }
        return true;
    }
}
