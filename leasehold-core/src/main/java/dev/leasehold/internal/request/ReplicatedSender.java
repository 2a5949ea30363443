package dev.leasehold.internal.request;

import dev.leasehold.Durability;
import dev.leasehold.spi.DurableReply;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
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
 * The way of requests that replicas are to have. {@code WAIT} holds its connection up, so one behind each request would
 * make them queue for seconds when a replica is down: instead all that have come meanwhile go together, with one WAIT for
 * the largest number and the smallest rest of time, whose count serves them all; who may wait longer than that goes again with the
 * next group. Renewals go first. Each shard has a way of its own, as far as shards can be told apart; and so has what is to be on
 * disk, for which another command waits.
 */
public final class ReplicatedSender {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicatedSender.class);

    /** How many go together. */
    static final int MOST = 100;

    /** What answers that say "yours" begin with; the others have written nothing that anybody relies on. */
    private static final Set<String> YOURS = Set.of("granted", "renewed", "asked");

    private static final long MILLI = 1_000_000;
    /** Kept for the way of the count back to a caller whose time is nearly over: this, or a quarter of his time. */
    private static final long WAY_BACK_NANOS = 20 * MILLI;

    private final RedisTransport transport;
    private final TimeSource time;
    private final Timer timer;
    private final BatchSender lane;
    private final long commandNanos;
    private final Map<Route, Way> ways = new ConcurrentHashMap<>();

    /** Who can go together. */
    private record Route(String shard, boolean onDisk) {}

    /** Prepares it; nothing is opened before the first request. */
    public ReplicatedSender(RedisTransport transport, TimeSource time, Timer timer, BatchSender lane, Limits limits) {
        this.transport = transport;
        this.time = time;
        this.timer = timer;
        this.lane = lane;
        this.commandNanos = limits.commandNanos();
    }

    /**
     * Sends a request with the next group.
     *
     * @param renewal whether it goes before others
     * @return the answer, if it does not say "yours" or enough replicas have it; else it fails with {@link TooFewAcknowledged}
     */
    public CompletableFuture<List<String>> send(ScriptCall call, Durability durability, boolean renewal) {
        Entry entry = new Entry(call, durability, time.nanoTime() + call.timeoutNanos(), renewal);
        String shard =
                call.keys().isEmpty() ? "" : transport.shardOf(call.keys().get(0));
        Route route = new Route(shard, durability.onDisk());
        ways.computeIfAbsent(route, any -> new Way(route.onDisk)).add(entry);
        return entry.result;
    }

    /** One request. */
    private final class Entry {
        private final ScriptCall call;
        private final Durability durability;
        private final long deadline;
        private final boolean renewal;
        private final CompletableFuture<List<String>> result = new CompletableFuture<>();
        /** For how long replicas had time in the groups that it went with; one thread after another, by way of a queue. */
        private long waitedMillis;

        Entry(ScriptCall call, Durability durability, long deadline, boolean renewal) {
            this.call = call;
            this.durability = durability;
            this.deadline = deadline;
            this.renewal = renewal;
        }

        /** How long replicas may take, so that the count still comes in time. */
        long withinNanos(long now) {
            long left = deadline - now;
            return Math.min(
                    durability.within().toNanos() - waitedMillis * MILLI, left - Math.min(left / 4, WAY_BACK_NANOS));
        }

        void fail(Throwable failure) {
            result.completeExceptionally(RequestFailures.unwrap(failure));
        }

        /** Whether it goes again, since others had less time than it has. */
        boolean judge(List<String> reply, @Nullable Long acknowledged, @Nullable Throwable failure, long millis) {
            if (acknowledged != null && acknowledged >= TooFewAcknowledged.wanted(durability)) {
                result.complete(reply);
            } else if (acknowledged != null) {
                waitedMillis += millis;
                if (withinNanos(time.nanoTime()) >= WAY_BACK_NANOS) {
                    return true;
                }
                fail(TooFewAcknowledged.acknowledged(acknowledged.intValue(), durability, waitedMillis));
            } else {
                RuntimeException reason = RequestFailures.unwrap(failure);
                fail(reason instanceof RedisErrorException ? TooFewAcknowledged.untold(durability, reason) : reason);
            }
            return false;
        }
    }

    /** To one shard: one group is on its way at a time. */
    private final class Way {
        private final boolean onDisk;
        private final Queue<Entry> renewals = new ConcurrentLinkedQueue<>();
        private final Queue<Entry> others = new ConcurrentLinkedQueue<>();
        private final AtomicInteger work = new AtomicInteger();
        private volatile boolean busy;

        Way(boolean onDisk) {
            this.onDisk = onDisk;
        }

        void add(Entry entry) {
            (entry.renewal ? renewals : others).add(entry);
            wake();
        }

        private void wake() {
            if (work.getAndIncrement() == 0) {
                drain();
            }
        }

        private void drain() {
            int seen = work.get();
            do {
                List<Entry> group = busy ? List.of() : next();
                while (!group.isEmpty()) {
                    send(group);
                    group = busy ? List.of() : next();
                }
                seen = work.addAndGet(-seen);
            } while (seen != 0);
        }

        private List<Entry> next() {
            List<Entry> group = new ArrayList<>();
            long now = time.nanoTime();
            for (Entry entry = poll(); entry != null; entry = group.size() < MOST ? poll() : null) {
                if (entry.deadline - now <= MILLI) {
                    entry.fail(
                            new TransportException("replicas were awaited for others until it was late", false, null));
                } else if (!entry.result.isDone()) {
                    group.add(entry);
                }
            }
            return group;
        }

        private @Nullable Entry poll() {
            Entry renewal = renewals.poll();
            return renewal == null ? others.poll() : renewal;
        }

        private void send(List<Entry> group) {
            long now = time.nanoTime();
            int replicas = 0;
            long within = Long.MAX_VALUE;
            long renewedBy = Long.MAX_VALUE;
            List<ScriptCall> calls = new ArrayList<>();
            for (Entry entry : group) {
                calls.add(entry.call);
                replicas = Math.max(replicas, entry.durability.replicas());
                within = Math.min(within, entry.withinNanos(now));
                renewedBy = entry.renewal ? Math.min(renewedBy, entry.deadline - now) : renewedBy;
            }
            // WAIT with 0 would wait for ever.
            long millis = Math.max(1, within / MILLI);
            busy = true;
            List<DurableReply> replies;
            try {
                replies = transport.evalDurably(calls, onDisk, replicas, millis);
            } catch (RuntimeException | Error e) {
                busy = false;
                group.forEach(entry -> entry.fail(e));
                return;
            }
            new Flight(this, group, replies, millis).watch(Math.min(renewedBy, millis * MILLI + commandNanos));
        }

        private void landed() {
            busy = false;
            wake();
        }
    }

    /** A group on its way. */
    private final class Flight {
        private final Way way;
        private final List<Entry> group;
        private final List<DurableReply> replies;
        private final long millis;
        private final AtomicInteger missing;
        private final AtomicBoolean over = new AtomicBoolean();

        Flight(Way way, List<Entry> group, List<DurableReply> replies, long millis) {
            this.way = way;
            this.group = group;
            this.replies = replies;
            this.millis = millis;
            this.missing = new AtomicInteger(2 * group.size());
        }

        void watch(long patienceNanos) {
            Timer.Timeout timeout = timer.schedule(() -> lane.answer(() -> end(patienceNanos)), patienceNanos);
            for (int i = 0; i < group.size(); i++) {
                Entry entry = group.get(i);
                DurableReply of = replies.get(i);
                CompletionStage<?> unused = of.reply().whenComplete((reply, failure) -> {
                    if (reply == null) {
                        entry.fail(RequestFailures.unwrap(failure));
                    } else if (reply.isEmpty() || !YOURS.contains(reply.get(0))) {
                        entry.result.complete(reply);
                    } else {
                        CompletionStage<?> unusedCount = of.replicas().whenComplete((number, refusal) -> {
                            if (entry.judge(reply, number, refusal, millis)) {
                                way.add(entry);
                            }
                        });
                    }
                    arrived(timeout);
                });
                CompletionStage<?> unusedToo = of.replicas().whenComplete((number, refusal) -> arrived(timeout));
            }
        }

        private void arrived(Timer.Timeout timeout) {
            if (missing.decrementAndGet() == 0 && over.compareAndSet(false, true)) {
                timeout.cancel();
                lane.answer(way::landed);
            }
        }

        /** No answer in time: the transport shall doubt the connection, and the others have waited long enough. */
        private void end(long patienceNanos) {
            if (over.compareAndSet(false, true)) {
                LOG.debug("replicas were awaited in vain for {} ms", patienceNanos / MILLI);
                replies.forEach(of -> {
                    of.reply().toCompletableFuture().cancel(false);
                    of.replicas().toCompletableFuture().cancel(false);
                });
                group.forEach(entry -> entry.fail(RequestFailures.timedOut(patienceNanos)));
                way.landed();
            }
        }
    }
}
