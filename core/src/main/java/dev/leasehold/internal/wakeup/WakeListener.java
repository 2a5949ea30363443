package dev.leasehold.internal.wakeup;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.request.ErrorReactions;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.spi.ChannelListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives the wake-ups of this client, over one channel for all locks and one for each shard of a cluster. A wake-up is a
 * hint to poll, never a grant: it may be lost, late, or without a waiter. Safe for use by any thread.
 */
public final class WakeListener implements ChannelListener {

    private static final Logger LOG = LoggerFactory.getLogger(WakeListener.class);

    private final LockStore store;
    private final WakeChannel channel;
    private final ShardWakeChannels shards;
    private final List<Woken> woken = new CopyOnWriteArrayList<>();
    private volatile Retainer retainer = key -> {};
    private final AtomicBoolean subscribing = new AtomicBoolean();
    private volatile boolean subscribed;
    private volatile boolean refused;

    /** Waiters that are woken. */
    public interface Woken {

        /**
         * The lock may be free, and it is the turn of this position in its queue.
         *
         * @param position in the queue; 0 if the key is that of a latch that is reached
         */
        void woken(long position, LockKey key);

        /** Wake-ups may have been lost: the first waiter of each queue polls. */
        void pollAll();
    }

    /** Holds that this client retains while no other client asks for the lock. */
    public interface Retainer {

        /** Another client asks for the lock. */
        void asked(LockKey key);
    }

    public WakeListener(LockStore store, WakeChannel channel) {
        this.store = store;
        this.channel = channel;
        this.shards = new ShardWakeChannels(store, channel, this);
    }

    /** Adds waiters; before the first of them waits. */
    public void add(Woken waiters) {
        woken.add(waiters);
    }

    /** Sets who releases what this client retains; before it retains anything. */
    public void retainer(Retainer holds) {
        retainer = holds;
    }

    /** Returns the channel for wake-ups of this lock: that of its shard once it is subscribed to, else the one for all locks. */
    public String channelOf(LockKey key) {
        return shards.channelOf(key);
    }

    /** Returns whether wake-ups are received by now; begins to subscribe if that has not been done. */
    public boolean ensureSubscribed() {
        if (subscribing.compareAndSet(false, true)) {
            try {
                store.subscribe(channel.name(), this).whenComplete((subscription, failure) -> {
                    if (failure == null) {
                        subscribed();
                    } else {
                        notSubscribed(failure);
                    }
                });
            } catch (RuntimeException e) {
                notSubscribed(e);
            }
        }
        return subscribed;
    }

    /** Redis refuses wake-ups to the user of this client: its waiters poll, from now on. */
    public void refused() {
        refused = true;
    }

    /** Returns whether Redis refuses wake-ups to the user of this client. */
    public boolean isRefused() {
        return refused;
    }

    /**
     * Returns whether wake-ups of this client's waiters are received by now, and sent by clients with the same user; begins to
     * subscribe if that has not been done.
     */
    public boolean reachesWaiters() {
        return ensureSubscribed() && !refused;
    }

    /** From here on no wake-up is missed; those published before may be lost. */
    private void subscribed() {
        subscribed = true;
        pollAll();
    }

    private void notSubscribed(Throwable failure) {
        RuntimeException reason = RequestFailures.unwrap(failure);
        if (ErrorReactions.isNotPermitted(reason)) {
            LOG.warn(
                    "Redis refuses wake-ups to this client, whose waiters poll instead. Grant the user +subscribe and the"
                            + " channels that docs/operations.md, section 2, lists: {}",
                    RequestFailures.reason(reason));
        } else {
            LOG.debug("wake-ups cannot be received now; waiters poll: {}", RequestFailures.reason(reason));
            subscribing.set(false);
        }
    }

    private void pollAll() {
        woken.forEach(Woken::pollAll);
    }

    @Override
    public void message(String message) {
        WakeChannel.WakeMessage wakeUp = channel.read(message);
        if (wakeUp == null) {
            LOG.debug("a message on the wake-up channel is no wake-up");
        } else if (wakeUp.asksForRelease()) {
            retainer.asked(wakeUp.key());
        } else {
            woken.forEach(waiters -> waiters.woken(wakeUp.position(), wakeUp.key()));
        }
    }

    @Override
    public void resubscribed() {
        pollAll();
    }
}
