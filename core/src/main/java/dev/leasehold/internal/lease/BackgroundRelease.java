package dev.leasehold.internal.lease;

import dev.leasehold.event.LossCause;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.ServerTime;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases a hold without a waiting caller: after a release that got no answer, after a loss by deadline, and after an
 * acquire whose outcome is unknown. In the last case a copy of the acquire may still be in flight, so the release is
 * final only when its answer shows Redis TIME past that copy's notAfter. Until then it is repeated, even if an earlier
 * one already found and removed the hold. It gives up when the hold would have ended anyway.
 */
final class BackgroundRelease implements BatchSender.Request<ReleaseHold.Answer> {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");
    private static final long MIN_RETRY_NANOS = 20_000_000;
    private static final long MAX_RETRY_NANOS = 1_000_000_000;
    private static final long NANOS_PER_MICRO = 1000;

    private final RequestContext context;
    private final BatchSender sender;
    private final LeaseTermination termination;
    private final LeaseRecord record;
    private final ServerTime notAfter;
    private final ReleaseAttempts attempts;
    private final long giveUpAt;
    private int failures;

    BackgroundRelease(
            RequestContext context,
            BatchSender sender,
            LeaseTermination termination,
            LeaseRecord record,
            ServerTime notAfter,
            ReleaseAttempts attempts) {
        this.context = context;
        this.sender = sender;
        this.termination = termination;
        this.record = record;
        this.notAfter = notAfter;
        this.attempts = attempts;
        // A copy that is granted at the last moment lasts for one more lease.
        this.giveUpAt = context.now() + record.sent().longestSpan() + 2 * context.commandNanos();
    }

    void begin() {
        context.unanswered().add(this);
        sender.submit(this);
    }

    @Override
    public @Nullable ReleaseHold prepare(long now) {
        if (now - giveUpAt >= 0) {
            LOG.debug("the release of lock {} was never confirmed; the hold has ended by now", record.key());
            over();
            return null;
        }
        return LeaseTermination.request(record, notAfter, context.commandNanos());
    }

    @Override
    public void answered(long sentAt, ReleaseHold.Answer answer) {
        context.unanswered().remove(this);
        settle(answer);
        long missing = notAfter.micros() - answer.now().micros();
        if (notAfter.micros() > 0 && missing >= 0) {
            sender.submitAfter(this, missing * NANOS_PER_MICRO + MIN_RETRY_NANOS);
        } else {
            over();
        }
    }

    /** Applies the answer to a lease whose holder released it; a lost or unknown lease stays as it is. */
    private void settle(ReleaseHold.Answer answer) {
        if (record.state() != LeaseState.RELEASING) {
            return;
        }
        LossCause cause = LeaseTermination.causeOf(answer);
        // Whoever never had the lease has lost nothing.
        if (answer.code() == ReleaseHold.Code.RELEASED
                || !record.wasReportedHeld()
                || attempts.explain(cause, context.now(), context.surplus())) {
            record.apply(LeaseEvent.RELEASE_CONFIRMED);
        } else {
            termination.disown(record, LeaseEvent.RELEASE_DENIED, cause, null);
        }
    }

    @Override
    public void failed(Throwable failure) {
        if (context.maybeExecuted(RequestFailures.unwrap(failure))) {
            attempts.unanswered(context.now(), context.surplus());
        }
        failures++;
        long delay = Math.min(MAX_RETRY_NANOS, MIN_RETRY_NANOS << Math.min(failures, 10));
        sender.submitAfter(this, (long) (delay * (0.5 + context.jitter())));
    }

    private void over() {
        context.unanswered().remove(this);
        if (record.state() == LeaseState.UNKNOWN) {
            record.apply(LeaseEvent.COMPENSATED);
        }
    }
}
