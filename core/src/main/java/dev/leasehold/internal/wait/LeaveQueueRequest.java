package dev.leasehold.internal.wait;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.store.LeaveQueue;
import dev.leasehold.internal.store.Waiter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives a place in the queue back. Tried a few times; after that the place lapses, because nobody looks any more. */
final class LeaveQueueRequest implements BatchSender.Request<LeaveQueue.Answer> {

    private static final Logger LOG = LoggerFactory.getLogger(LeaveQueueRequest.class);
    private static final int MOST_TRIES = 3;
    private static final long RETRY_NANOS = 100_000_000;

    private final RequestContext context;
    private final BatchSender sender;
    private final LockKey key;
    private final Waiter waiter;
    private int tries;

    LeaveQueueRequest(RequestContext context, BatchSender sender, LockKey key, Waiter waiter) {
        this.context = context;
        this.sender = sender;
        this.key = key;
        this.waiter = waiter;
    }

    @Override
    public LeaveQueue prepare(long now) {
        tries++;
        return new LeaveQueue(key, waiter, context.commandNanos());
    }

    @Override
    public void answered(long sentAt, LeaveQueue.Answer answer) {
        context.unanswered().remove(this);
    }

    @Override
    public void failed(Throwable failure) {
        if (tries < MOST_TRIES) {
            sender.submitAfter(this, RETRY_NANOS);
        } else {
            context.unanswered().remove(this);
            LOG.debug("a place in the queue of lock {} lapses: {}", key, RequestFailures.reason(failure));
        }
    }
}
