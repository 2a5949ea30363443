package dev.leasehold.internal.retain;

import dev.leasehold.event.LossCause;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.TokenFloors;
import dev.leasehold.internal.lease.Validity;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.store.ContinueHandOff;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.wakeup.WakeListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extends a retained hold that was used, and reserves more tokens. The answer also applies to the lease that uses the hold when it
 * arrives. Without an answer the hold stays as it is, and the timer tries again.
 */
final class LongerRetention implements BatchSender.Request<ContinueHandOff.Answer> {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");

    private final RequestContext context;
    private final RetainedHolds holds;
    private final TokenFloors floors;
    private final WakeListener wakeUps;
    private final RetainedHold hold;
    private long requestedNanos;
    private long surplusAtSend;

    LongerRetention(
            RequestContext context, RetainedHolds holds, TokenFloors floors, WakeListener wakeUps, RetainedHold hold) {
        this.context = context;
        this.holds = holds;
        this.floors = floors;
        this.wakeUps = wakeUps;
        this.hold = hold;
    }

    @Override
    public ContinueHandOff.@Nullable Retain prepare(long now) {
        requestedNanos = hold.spanFrom(now);
        surplusAtSend = context.surplus();
        if (hold.over() || hold.asked() || requestedNanos <= 0) {
            hold.requestOver();
            return null;
        }
        return new ContinueHandOff.Retain(
                hold.key(),
                hold.id(),
                new LeaseSpan(requestedNanos),
                hold.lastReserved(),
                wakeUps.channelOf(hold.key()),
                true,
                // A later answer would say nothing about a hold that has ended.
                Math.min(context.commandNanos(), hold.retainNanos()));
    }

    @Override
    public void answered(long sentAt, ContinueHandOff.Answer answer) {
        try {
            apply(sentAt, answer);
        } finally {
            // Not before: a lease that takes the hold over meanwhile would find that little is left, and ask again.
            hold.requestOver();
        }
    }

    private void apply(long sentAt, ContinueHandOff.Answer answer) {
        switch (answer.code()) {
            case GOING -> extended(sentAt, answer);
            case WANTED -> wanted();
            // Released by the next acquisition that finds no token, or when it is over.
            case SPENT -> LOG.debug("no more tokens for the retained lock {}", hold.key());
            case GONE -> holds.lost(hold, LeaseTermination.causeOf(answer.detail()), null);
            case FOREIGN -> holds.lost(hold, LossCause.DELETED, answer.detail());
            case ENDED -> holds.lost(hold, LossCause.ENDED, null);
        }
    }

    private void extended(long sentAt, ContinueHandOff.Answer answer) {
        // Not those that are reserved: they are given back if no lease has had them.
        floors.seen(hold.key(), hold.used(), hold.leaseNanos(), context.now());
        long span = Validity.span(Math.max(requestedNanos, hold.end() - sentAt), answer.leftNanos());
        // First for the next leases: one that takes the hold over now has the span before this or is found as its user.
        hold.extended(sentAt, span, surplusAtSend, answer, context.now());
        LeaseRecord user = hold.user();
        if (user != null && user.holding()) {
            user.confirmed(sentAt, span, surplusAtSend, false);
        }
    }

    /** Another client waits or asked for the lock, and its message may have been lost. */
    private void wanted() {
        holds.asked(hold.key());
        LeaseRecord user = hold.user();
        if (user != null) {
            // Its renewals report a request to release.
            holds.adopt(hold, user);
        }
    }

    @Override
    public void failed(Throwable failure) {
        hold.requestOver();
        LOG.debug("the retention of lock {} was not confirmed and is tried again", hold.key(), failure);
    }

    @Override
    public void answeredLate(long sentAt, ContinueHandOff.Answer answer) {
        // A late answer is still true: validity counts from the moment of sending.
        answered(sentAt, answer);
    }
}
