package dev.leasehold.internal.request;

import dev.leasehold.Durability;
import dev.leasehold.internal.concurrent.SelfTimedAnswer;
import dev.leasehold.internal.concurrent.SerialLoop;
import dev.leasehold.internal.store.LockRequest;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the requests that replicas have to acknowledge. {@code WAIT} blocks its connection. One WAIT behind each request would
 * make requests queue for seconds while a replica is down. Instead the requests that arrive meanwhile form a group:
 *
 * <ul>
 *   <li>a group has one WAIT, for the largest number of replicas and the shortest time that a request of the group has left;
 *   <li>its count serves all requests of the group; a request that may wait longer is sent again with the next group;
 *   <li>renewals go into a group before other requests;
 *   <li>each shard has a queue of its own, as far as the store can distinguish shards;
 *   <li>so have the requests that must be on disk, because another command waits for disks.
 * </ul>
 */
public final class ReplicatedSender {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicatedSender.class);

    /** The largest number of requests in a group. */
    static final int MAX_GROUP = 100;

    private static final long MILLI = 1_000_000;
    /** The time reserved for the return of the count to a caller: this, or a quarter of the caller's time if that is less. */
    private static final long RETURN_NANOS = 20 * MILLI;

    private final LockStore store;
    private final TimeSource time;
    private final Timer timer;
    private final BatchSender sender;
    private final long commandNanos;
    private final Map<Route, ShardQueue> queues = new ConcurrentHashMap<>();

    /** The common destination of the requests of a group. */
    private record Route(String shard, boolean onDisk) {}

    /** Creates a sender; it opens no connection before the first request. */
    public ReplicatedSender(LockStore store, TimeSource time, Timer timer, BatchSender sender, Limits limits) {
        this.store = store;
        this.time = time;
        this.timer = timer;
        this.sender = sender;
        this.commandNanos = limits.commandNanos();
    }

    /**
     * Sends a request with the next group; one that {@linkplain LockRequest#prolongs prolongs} a hold goes before others.
     *
     * @return the answer, if it grants nothing or enough replicas acknowledged it; otherwise the future fails with
     *     {@link TooFewAcknowledged}
     */
    public <A> CompletableFuture<A> send(LockRequest<A> request, Durability durability) {
        Entry<A> entry = new Entry<>(request, durability, time.nanoTime() + request.timeoutNanos());
        Route route = new Route(store.shardOf(request.key().key()), durability.onDisk());
        queues.computeIfAbsent(route, key -> new ShardQueue(key.onDisk)).add(entry);
        return entry.result;
    }

    /** One request. */
    private final class Entry<A> {
        private final LockRequest<A> request;
        private final Durability durability;
        private final long deadline;
        private final CompletableFuture<A> result = new SelfTimedAnswer<>();
        /** The time that replicas had in earlier groups. The queue publishes it from one thread to the next. */
        private long waitedMillis;
        /** True once a group granted it: whatever a repeat is answered, it may be held. Published like the time above. */
        private boolean granted;

        Entry(LockRequest<A> request, Durability durability, long deadline) {
            this.request = request;
            this.durability = durability;
            this.deadline = deadline;
        }

        /** Returns the time that replicas may take so that the count still arrives before the deadline. */
        long withinNanos(long now) {
            long left = deadline - now;
            return Math.min(
                    durability.within().toNanos() - waitedMillis * MILLI, left - Math.min(left / 4, RETURN_NANOS));
        }

        void fail(Throwable failure) {
            RuntimeException reason = RequestFailures.unwrap(failure);
            result.completeExceptionally(
                    granted && !RequestFailures.maybeExecuted(reason)
                            ? new TransportException(RequestFailures.reason(reason), true, reason)
                            : reason);
        }

        /**
         * Completes the request, unless a group before granted it: that a request for a free lock, or a late one, does not find the
         * hold says nothing of it. A renewal or an extension asks for the hold itself, so its answer holds.
         */
        void notGranted(A answer) {
            if (granted && !request.prolongs()) {
                fail(new TransportException("its repeat for more replicas was not granted", true, null));
            } else {
                result.complete(answer);
            }
        }

        /** Completes or fails a granted request. Returns true instead if it is to be sent again, because it may wait longer. */
        boolean settle(A answer, @Nullable Long acknowledged, @Nullable Throwable failure, long millis) {
            granted = true;
            if (acknowledged != null && acknowledged >= TooFewAcknowledged.wanted(durability)) {
                result.complete(answer);
            } else if (acknowledged != null) {
                waitedMillis += millis;
                if (withinNanos(time.nanoTime()) >= RETURN_NANOS) {
                    return true;
                }
                fail(TooFewAcknowledged.tooFew(acknowledged.intValue(), durability, waitedMillis));
            } else {
                RuntimeException reason = RequestFailures.unwrap(failure);
                fail(reason instanceof RedisErrorException error ? uncounted(error) : reason);
            }
            return false;
        }

        /** A server that became a replica meanwhile does not count: the request is repeated, as after no answer. */
        private TransportException uncounted(RedisErrorException refusal) {
            return ErrorReactions.of(refusal) == ErrorReactions.Reaction.RETRY
                    ? new TransportException(RequestFailures.reason(refusal), true, refusal)
                    : TooFewAcknowledged.noCount(durability, refusal);
        }
    }

    /** The queue of requests to one shard; one group is in flight at a time. */
    private final class ShardQueue {
        private final boolean onDisk;
        private final Queue<Entry<?>> renewals = new ConcurrentLinkedQueue<>();
        private final Queue<Entry<?>> others = new ConcurrentLinkedQueue<>();
        private final SerialLoop loop = new SerialLoop(this::sendGroups);
        private volatile boolean busy;

        ShardQueue(boolean onDisk) {
            this.onDisk = onDisk;
        }

        void add(Entry<?> entry) {
            (entry.request.prolongs() ? renewals : others).add(entry);
            wake();
        }

        private void wake() {
            loop.signal(Runnable::run);
        }

        private void sendGroups() {
            while (!busy) {
                List<Entry<?>> group = nextGroup();
                if (group.isEmpty()) {
                    return;
                }
                send(group);
            }
        }

        private List<Entry<?>> nextGroup() {
            List<Entry<?>> group = new ArrayList<>();
            long now = time.nanoTime();
            for (Entry<?> entry = poll(); entry != null; entry = group.size() < MAX_GROUP ? poll() : null) {
                if (entry.deadline - now <= MILLI) {
                    entry.fail(new TransportException(
                            "the time was over before the request was sent: earlier requests waited for replicas",
                            false,
                            null));
                } else if (!entry.result.isDone()) {
                    group.add(entry);
                }
            }
            return group;
        }

        private @Nullable Entry<?> poll() {
            Entry<?> renewal = renewals.poll();
            return renewal == null ? others.poll() : renewal;
        }

        private void send(List<Entry<?>> group) {
            long now = time.nanoTime();
            int replicas = 0;
            long within = Long.MAX_VALUE;
            long renewedBy = Long.MAX_VALUE;
            List<LockRequest<?>> requests = new ArrayList<>();
            for (Entry<?> entry : group) {
                requests.add(entry.request);
                replicas = Math.max(replicas, entry.durability.replicas());
                within = Math.min(within, entry.withinNanos(now));
                renewedBy = entry.request.prolongs() ? Math.min(renewedBy, entry.deadline - now) : renewedBy;
            }
            // WAIT with 0 would wait forever.
            long millis = Math.max(1, within / MILLI);
            busy = true;
            List<LockStore.Durable<?>> sent;
            try {
                sent = store.sendDurably(requests, onDisk, replicas, millis);
            } catch (RuntimeException | Error e) {
                busy = false;
                group.forEach(entry -> entry.fail(e));
                return;
            }
            new InFlight(this, group, sent, millis).watch(Math.min(renewedBy, millis * MILLI + commandNanos));
        }

        private void groupEnded() {
            busy = false;
            wake();
        }
    }

    /** A group that was sent, until all its answers have arrived or its timeout. */
    private final class InFlight {
        private final ShardQueue queue;
        private final List<Entry<?>> group;
        private final List<LockStore.Durable<?>> sent;
        private final long millis;
        private final AtomicInteger missing;
        private final AtomicBoolean over = new AtomicBoolean();

        InFlight(ShardQueue queue, List<Entry<?>> group, List<LockStore.Durable<?>> sent, long millis) {
            this.queue = queue;
            this.group = group;
            this.sent = sent;
            this.millis = millis;
            this.missing = new AtomicInteger(2 * group.size());
        }

        void watch(long timeoutNanos) {
            Timer.Timeout timeout = timer.schedule(() -> sender.handle(() -> timedOut(timeoutNanos)), timeoutNanos);
            for (int i = 0; i < group.size(); i++) {
                watch(group.get(i), sent.get(i), timeout);
            }
        }

        private <A> void watch(Entry<A> entry, LockStore.Durable<?> durable, Timer.Timeout timeout) {
            CompletionStage<A> stage = entry.request.typed(durable.answer());
            stage.whenComplete((answer, failure) -> {
                if (answer == null) {
                    entry.fail(RequestFailures.unwrap(failure));
                } else if (!entry.request.grants(answer)) {
                    entry.notGranted(answer);
                } else {
                    CompletionStage<?> unusedCount = durable.replicas().whenComplete((count, refusal) -> {
                        if (entry.settle(answer, count, refusal, millis)) {
                            queue.add(entry);
                        }
                    });
                }
                arrived(timeout);
            });
            CompletionStage<?> unused = durable.replicas().whenComplete((count, refusal) -> arrived(timeout));
        }

        private void arrived(Timer.Timeout timeout) {
            if (missing.decrementAndGet() == 0 && over.compareAndSet(false, true)) {
                timeout.cancel();
                sender.handle(queue::groupEnded);
            }
        }

        /** Ends the group without an answer: the cancellation makes the transport doubt the connection. */
        private void timedOut(long timeoutNanos) {
            if (over.compareAndSet(false, true)) {
                LOG.debug("replicas did not acknowledge within {} ms", timeoutNanos / MILLI);
                sent.forEach(durable -> {
                    durable.answer().cancel(false);
                    durable.replicas().cancel(false);
                });
                group.forEach(entry -> entry.fail(RequestFailures.timedOut(timeoutNanos)));
                queue.groupEnded();
            }
        }
    }
}
