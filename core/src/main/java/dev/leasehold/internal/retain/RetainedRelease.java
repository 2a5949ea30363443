package dev.leasehold.internal.retain;

import dev.leasehold.internal.lease.SentRequests;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReleaseHold;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases a retained hold that nobody uses, in the background. Nobody loses anything if Redis no longer has the hold. It is
 * repeated until Redis answers, or the hold would have ended anyway.
 */
final class RetainedRelease implements BatchSender.Request<ReleaseHold.Answer> {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");
    private static final long RETRY_NANOS = 20_000_000;

    private final RequestContext context;
    private final BatchSender sender;
    private final RetainedHold hold;

    RetainedRelease(RequestContext context, BatchSender sender, RetainedHold hold) {
        this.context = context;
        this.sender = sender;
        this.hold = hold;
    }

    void begin() {
        // A client that is being closed waits for it.
        context.unanswered().add(this);
        sender.submit(this);
    }

    /** The request that releases a hold. */
    static ReleaseHold request(RetainedHold hold, long timeoutNanos) {
        SentRequests sent = hold.process().sent();
        LeaseSpan longest = new LeaseSpan(sent.longestSpan());
        return new ReleaseHold(hold.key(), hold.id(), longest, false, sent.copiesUntil(), hold.tokens(), timeoutNanos);
    }

    @Override
    public @Nullable ReleaseHold prepare(long now) {
        if (now - (hold.end() + context.commandNanos()) >= 0) {
            LOG.debug("the release of the retained lock {} was never confirmed; the hold has ended by now", hold.key());
            context.unanswered().remove(this);
            return null;
        }
        return request(hold, context.commandNanos());
    }

    @Override
    public void answered(long sentAt, ReleaseHold.Answer answer) {
        context.unanswered().remove(this);
    }

    @Override
    public void failed(Throwable failure) {
        sender.submitAfter(this, (long) (RETRY_NANOS * (1 + context.jitter())));
    }
}
