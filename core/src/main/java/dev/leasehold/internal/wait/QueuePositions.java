package dev.leasehold.internal.wait;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.internal.wakeup.WakeChannel;

/** Gives up positions in the queues of locks, in the background; Redis wakes the next waiter instead if the lock is free. */
public final class QueuePositions {

    private final RequestContext context;
    private final BatchSender sender;
    private final String channel;

    public QueuePositions(RequestContext context, BatchSender sender, WakeChannel channel) {
        this.context = context;
        this.sender = sender;
        this.channel = channel.name();
    }

    void giveUp(LockKey key, long position) {
        LeaveQueueRequest request = new LeaveQueueRequest(context, sender, key, new Waiter(channel, position));
        context.unanswered().add(request);
        sender.submit(request);
    }
}
