package dev.leasehold.internal.wait;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.store.LeaveQueue;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.internal.wakeup.WakeChannel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives up positions in the queues of locks, in the background; Redis wakes the next waiter instead if the lock is free. */
public final class QueuePositions {

    private static final Logger LOG = LoggerFactory.getLogger(QueuePositions.class);
    private static final int MOST_TRIES = 3;
    private static final long RETRY_NANOS = 100_000_000;

    private final RequestContext context;
    private final BatchSender sender;
    private final String channel;

    public QueuePositions(RequestContext context, BatchSender sender, WakeChannel channel) {
        this.context = context;
        this.sender = sender;
        this.channel = channel.name();
    }

    void giveUp(LockKey key, long position) {
        submit(new Leaving(key, position, null));
    }

    /** Gives up the position that an acquisition without an answer may have taken, unless it is the one that stays. */
    void giveUpThatOf(LockKey key, AcquisitionId taker, long stays) {
        submit(new Leaving(key, stays, taker));
    }

    private void submit(Leaving leaving) {
        context.unanswered().add(leaving);
        sender.submit(leaving);
    }

    /** Tried a few times; after that the position lapses, because nobody polls for it any more. */
    final class Leaving implements BatchSender.Request<LeaveQueue.Answer> {

        private final LockKey key;
        private final long position;
        private final @Nullable AcquisitionId taker;
        private int tries;

        Leaving(LockKey key, long position, @Nullable AcquisitionId taker) {
            this.key = key;
            this.position = position;
            this.taker = taker;
        }

        @Override
        public LeaveQueue prepare(long now) {
            tries++;
            return new LeaveQueue(key, new Waiter(channel, position), taker, context.commandNanos());
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
                LOG.debug("a position in the queue of lock {} lapses: {}", key, RequestFailures.reason(failure));
            }
        }
    }
}
