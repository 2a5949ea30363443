package dev.leasehold.internal.foreign;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.RedissonKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.wait.Outage;
import dev.leasehold.internal.wait.QueueEntry;
import dev.leasehold.internal.wait.WakeableEntry;
import dev.leasehold.internal.wakeup.WakeListener;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The acquisitions of this client that wait for locks that are shared with Redisson. Of those that wait for the same lock only the first
 * polls Redis. A message on the lock's channel, to which the client is subscribed while it waits, makes it poll at once; it is a hint,
 * never a grant. In a cluster some clients of Redisson publish on a channel of the shard and some on one of all nodes, so it is subscribed
 * to both. Where the channel is refused, or Redisson publishes nothing on it, the first polls at its interval. Safe for use by any thread.
 */
public final class ChannelWaiters {

    private static final Logger LOG = LoggerFactory.getLogger(ChannelWaiters.class);

    private final LockStore store;
    private final WakeListener wakeUps;
    private final Map<RedissonKey, Group> groups = new ConcurrentHashMap<>();
    private final AtomicBoolean reported = new AtomicBoolean();

    /**
     * Creates them, without any.
     *
     * @param wakeUps knows whether this client may receive messages at all
     */
    public ChannelWaiters(LockStore store, WakeListener wakeUps) {
        this.store = store;
        this.wakeUps = wakeUps;
    }

    /** Begins to wait for a lock; nothing is sent before Redis has said that it is taken. */
    public QueueEntry join(RedissonKey key) {
        Entry entry = new Entry(key.isPolled());
        groups.compute(key, (same, present) -> {
            Group group = present == null ? new Group(key) : present;
            entry.group = group;
            group.add(entry);
            return group;
        });
        return entry;
    }

    private void leave(Entry entry) {
        Group group = entry.group();
        groups.computeIfPresent(group.key, (same, present) -> {
            present.remove(entry);
            return present.entries.isEmpty() ? null : present;
        });
        if (group.first == null) {
            group.unsubscribe();
        } else {
            group.firstPolls();
        }
    }

    /** Those that wait for one lock. */
    private final class Group implements ChannelListener {

        private final RedissonKey key;
        /** In the order of arrival; changed inside the map. */
        private final Set<Entry> entries = new LinkedHashSet<>();

        private final AtomicBoolean subscribing = new AtomicBoolean();
        private volatile @Nullable Entry first;
        private volatile @Nullable Outage outage;
        private volatile @Nullable AutoCloseable subscription;

        Group(RedissonKey key) {
            this.key = key;
        }

        void add(Entry entry) {
            entries.add(entry);
            first = entries.iterator().next();
        }

        void remove(Entry entry) {
            entries.remove(entry);
            first = entries.isEmpty() ? null : entries.iterator().next();
        }

        void firstPolls() {
            Entry entry = first;
            if (entry != null) {
                entry.pollNow();
            }
        }

        boolean subscribed() {
            return subscription != null;
        }

        void subscribe() {
            if (wakeUps.isRefused() || !subscribing.compareAndSet(false, true)) {
                return;
            }
            try {
                store.subscribeToBothKinds(key.channel(), this).whenComplete((begun, failure) -> {
                    if (failure == null) {
                        subscribed(begun);
                    } else {
                        notSubscribed(failure);
                    }
                });
            } catch (RuntimeException e) {
                notSubscribed(e);
            }
        }

        /** From here on no message is missed; those published before may be lost. */
        private void subscribed(AutoCloseable begun) {
            subscription = begun;
            // In this order, and unsubscribe() after the last has left: so one of both ends it.
            if (first == null) {
                unsubscribe();
            }
            firstPolls();
        }

        private void notSubscribed(Throwable failure) {
            RuntimeException reason = RequestFailures.unwrap(failure);
            if (!(reason instanceof RedisErrorException)) {
                LOG.debug("a channel of a lock cannot be subscribed to now: {}", RequestFailures.reason(reason));
                subscribing.set(false);
            } else if (reported.compareAndSet(false, true)) {
                LOG.warn(
                        "Redis refuses the channel of lock {} to this client, which polls instead. Grant the user +subscribe, in a cluster"
                                + " +ssubscribe, and the channels redisson_lock__channel:*, as docs/operations.md says: {}",
                        key.shown(),
                        RequestFailures.reason(reason));
            }
        }

        void unsubscribe() {
            AutoCloseable begun = subscription;
            subscription = null;
            if (begun == null) {
                return;
            }
            try {
                begun.close();
            } catch (Exception e) {
                // Messages are received for nothing until the client is closed.
                LOG.debug("the subscription to a channel of a lock did not end: {}", e.toString());
            }
        }

        @Override
        public void message(String message) {
            firstPolls();
        }

        @Override
        public void resubscribed() {
            firstPolls();
        }
    }

    /** One acquisition. */
    private final class Entry extends WakeableEntry {

        /** Set before the entry is used. */
        private @Nullable Group group;

        private final boolean polled;
        private boolean over;

        Entry(boolean polled) {
            super(false);
            this.polled = polled;
        }

        Group group() {
            Group its = group;
            if (its == null) {
                throw new IllegalStateException("a waiter in no group");
            }
            return its;
        }

        private boolean isFirst() {
            return group().first == this;
        }

        @Override
        public boolean waitsLocally() {
            return !isFirst();
        }

        @Override
        public void positioned(long position, int rank) {
            group().subscribe();
        }

        @Override
        public boolean queueForWakeUp() {
            return !isFirst() || (group().subscribed() && !polled && !polls());
        }

        @Override
        public void outage(@Nullable RuntimeException failure, long since) {
            group().outage = failure == null ? null : new Outage(failure, since);
        }

        @Override
        public @Nullable Outage outage() {
            return group().outage;
        }

        @Override
        public void pollOthers() {
            groups.computeIfPresent(group().key, (same, present) -> {
                present.entries.stream().filter(other -> other != this).forEach(WakeableEntry::pollNow);
                return present;
            });
        }

        @Override
        public void granted(LeaseRecord record) {
            leave(null);
        }

        @Override
        public void leave(@Nullable AcquisitionId unanswered) {
            if (!over) {
                over = true;
                ChannelWaiters.this.leave(this);
            }
        }
    }
}
