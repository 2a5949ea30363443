package dev.leasehold.internal.wait;

import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.SharedReadHold;
import dev.leasehold.internal.lease.TokenFloors;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.store.AnswerFuture;
import dev.leasehold.internal.store.DowngradeHold;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns a writer's hold in Redis into that of readers, so that readers of other processes may enter, with the token of those
 * of this process. Without an answer it is repeated for as long as a reader has the hold. A late copy finds the hold gone, or
 * one of readers, because from here on it is not handed off to a writer.
 */
final class ShareRequest implements BatchSender.Request<DowngradeHold.Answer> {

    private static final Logger LOG = LoggerFactory.getLogger(ShareRequest.class);
    private static final long RETRY_NANOS = 100_000_000;

    private final RequestContext context;
    private final BatchSender sender;
    private final TokenFloors floors;
    private final LeaseRecord lease;
    private final SharedReadHold group;

    /**
     * Not sent yet.
     *
     * @param lease that of the writer, or of one of the readers
     */
    ShareRequest(
            RequestContext context, BatchSender sender, TokenFloors floors, LeaseRecord lease, SharedReadHold group) {
        this.context = context;
        this.sender = sender;
        this.floors = floors;
        this.lease = lease;
        this.group = group;
    }

    void begin() {
        context.unanswered().add(this);
        sender.submit(this);
    }

    @Override
    public @Nullable DowngradeHold prepare(long now) {
        if (group.over()) {
            context.unanswered().remove(this);
            return null;
        }
        return new DowngradeHold(
                lease.key(), lease.hold(), floors.above(lease), group.grant().token(), context.commandNanos());
    }

    @Override
    public void answered(long sentAt, DowngradeHold.Answer answer) {
        context.unanswered().remove(this);
    }

    @Override
    public void failed(Throwable failure) {
        if (AnswerFuture.isUnreadable(failure)) {
            // Redis has answered, and a client that closes waits for no more than that.
            context.unanswered().remove(this);
        }
        LOG.debug(
                "readers of other processes still wait for the readers of this one, of lock {}: {}",
                lease.key(),
                RequestFailures.reason(failure));
        sender.submitAfter(this, RETRY_NANOS);
    }
}
