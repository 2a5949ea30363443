package dev.leasehold.jedis;

import dev.leasehold.internal.adapter.AdaptiveTimeout;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The way of batches: one thread, with one connection that is shared with nothing else. What comes while it waits for
 * answers goes with its next flush.
 */
final class BatchThread {

    private static final Logger LOG = LoggerFactory.getLogger(BatchThread.class);

    /**
     * The amount of data that is sent before answers are read. It fits into the buffers of the system, so that writing,
     * for which Jedis knows no timeout, does not block on a connection that is dead.
     */
    private static final int FLUSH_CHARACTERS = 32_000;

    private final KeptConnections connections;
    private final TimeSource time;
    private final Redirects detours;
    private final AdaptiveTimeout timeout;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();

    /** Guarded by the lock, as all below. */
    private List<Entry> queue = new ArrayList<>();

    private boolean begun;
    private boolean closed;

    /** Used by the lane's thread only. */
    private @Nullable Connection connection;

    private int timeoutBefore;
    private boolean formerPrimary;

    BatchThread(KeptConnections connections, TimeSource time, Redirects detours) {
        this.connections = connections;
        this.time = time;
        this.detours = detours;
        this.timeout = new AdaptiveTimeout(time);
    }

    List<Entry> send(List<ScriptCall> calls) {
        List<Entry> entries = entries(calls, time);
        add(entries);
        return entries;
    }

    /** The calls as they go through lanes, none sent yet. */
    static List<Entry> entries(List<ScriptCall> calls, TimeSource time) {
        long now = time.nanoTime();
        return calls.stream()
                .map(call -> new Entry(call, now + call.timeoutNanos()))
                .toList();
    }

    void add(List<Entry> entries) {
        boolean refused;
        lock.lock();
        try {
            refused = closed;
            if (!refused && !entries.isEmpty()) {
                queue.addAll(entries);
                begin();
                work.signal();
            }
        } finally {
            lock.unlock();
        }
        if (refused) {
            entries.forEach(entry -> entry.completeExceptionally(Failures.closed(connections.address())));
        }
    }

    private void begin() {
        if (!begun) {
            begun = true;
            Thread thread = new Thread(this::run, "leasehold-jedis-lane " + connections.address());
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run() {
        for (List<Entry> batch = next(); batch != null; batch = next()) {
            List<Entry> whole = batch;
            try {
                exchange(batch);
            } catch (RuntimeException | Error e) {
                LOG.error("a bug in Leasehold: a batch was given up", e);
                whole.forEach(entry -> entry.completeExceptionally(Failures.unanswered(e, connections.address())));
                drop();
            }
        }
        Connection last = connection;
        if (last != null) {
            restoreTimeout(last);
            connections.end(last);
        }
    }

    private void restoreTimeout(Connection sound) {
        try {
            sound.setSoTimeout(timeoutBefore);
        } catch (JedisException e) {
            sound.setBroken();
        }
    }

    /** Waits for calls; null after the lane was closed. */
    private @Nullable List<Entry> next() {
        List<Entry> next;
        boolean over;
        lock.lock();
        try {
            while (queue.isEmpty() && !closed) {
                work.awaitUninterruptibly();
            }
            next = queue;
            queue = new ArrayList<>();
            over = closed;
        } finally {
            lock.unlock();
        }
        if (over) {
            next.forEach(entry -> entry.completeExceptionally(Failures.closed(connections.address())));
        }
        return over ? null : next;
    }

    /**
     * By digest; what the server does not know, once more, each script whole for the first of its calls; and what it
     * still does not know, whole for every call. That is no replay: a script that was not found has not run.
     */
    private void exchange(List<Entry> batch) {
        List<Entry> unknown = flushAll(batch, null);
        if (!unknown.isEmpty()) {
            unknown = flushAll(unknown, new HashSet<>());
        }
        if (!unknown.isEmpty()) {
            for (Entry entry : flushAll(unknown, null, true)) {
                entry.completeExceptionally(new RedisErrorException("NOSCRIPT to a script that was sent whole"));
            }
        }
    }

    private List<Entry> flushAll(List<Entry> batch, @Nullable Set<String> sentWhole) {
        return flushAll(batch, sentWhole, false);
    }

    private List<Entry> flushAll(List<Entry> batch, @Nullable Set<String> sentWhole, boolean allWhole) {
        List<Entry> unknown = new ArrayList<>(0);
        List<Entry> flush = new ArrayList<>(batch.size());
        int size = 0;
        for (Entry entry : batch) {
            entry.whole = allWhole
                    || (sentWhole != null && sentWhole.add(entry.call.script().sha1()));
            int more = Commands.size(entry.call, entry.whole);
            if (size + more > FLUSH_CHARACTERS && !flush.isEmpty()) {
                flush(flush, unknown);
                flush.clear();
                size = 0;
            }
            flush.add(entry);
            size += more;
        }
        flush(flush, unknown);
        return unknown;
    }

    private void flush(List<Entry> entries, List<Entry> unknown) {
        long now = time.nanoTime();
        // No caller waits for these any more, or will when they are answered.
        entries.removeIf(entry -> entry.isDone() || entry.expired(now, connections.address()));
        if (entries.isEmpty()) {
            return;
        }
        long longest = 0;
        for (Entry entry : entries) {
            longest = Math.max(longest, entry.until - now);
        }
        Connection over;
        try {
            over = connected(longest);
        } catch (RuntimeException e) {
            entries.forEach(entry -> entry.completeExceptionally(e));
            detours.unanswered();
            return;
        }
        timeout.begin(longest);
        int answered = 0;
        try {
            over.setSoTimeout(CommandExchange.millis(timeout.nanos()));
            for (Entry entry : entries) {
                if (entry.asking) {
                    over.sendCommand(Commands.ASKING);
                }
                over.sendCommand(entry.whole ? Commands.evalWhole(entry.call) : Commands.evalsha(entry.call));
            }
            for (Entry entry : entries) {
                read(over, entry, unknown);
                answered++;
            }
            timeout.answered();
        } catch (RuntimeException e) {
            if (Failures.isTimeout(e)) {
                timeout.unanswered();
            }
            LOG.warn("The connection to Redis at {} for renewals is replaced: {}", connections.address(), e.toString());
            drop();
            TransportException failure = Failures.unanswered(e, connections.address());
            entries.subList(answered, entries.size()).forEach(entry -> entry.completeExceptionally(failure));
            detours.unanswered();
        }
        if (formerPrimary) {
            formerPrimary = false;
            drop();
        }
    }

    private void read(Connection over, Entry entry, List<Entry> unknown) {
        if (entry.asking) {
            readAsking(over);
        }
        Object reply;
        try {
            reply = over.getOne();
        } catch (JedisDataException e) {
            RedisErrorException refusal = Failures.refusal(e);
            if (refusal.code().equals("NOSCRIPT") && !entry.whole) {
                unknown.add(entry);
                return;
            }
            formerPrimary |= Failures.isOfFormerPrimary(refusal);
            if (!detours.take(entry, refusal)) {
                entry.completeExceptionally(refusal);
            }
            return;
        }
        entry.complete(Replies.strings(reply));
    }

    private static void readAsking(Connection over) {
        try {
            over.getOne();
        } catch (JedisDataException e) {
            LOG.debug("ASKING was refused, so the call behind it will be sent elsewhere", e);
        }
    }

    private Connection connected(long longestNanos) {
        Connection open = connection;
        if (open != null) {
            return open;
        }
        timeout.begin(longestNanos);
        Connection made;
        try {
            made = connections.open(timeout.nanos());
        } catch (RuntimeException e) {
            if (Failures.isTimeout(e)) {
                timeout.unanswered();
            }
            throw e;
        }
        timeoutBefore = made.getSoTimeout();
        connection = made;
        return made;
    }

    private void drop() {
        Connection broken = connection;
        connection = null;
        if (broken != null) {
            broken.setBroken();
            connections.end(broken);
        }
    }

    /** Queued calls fail; calls that were sent are still awaited, which does not take long. */
    void close() {
        lock.lock();
        try {
            closed = true;
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    /** One call, which is also the stage of its caller. Only its batch thread uses its fields. */
    static final class Entry extends CompletableFuture<List<String>> {
        final ScriptCall call;
        final long until;
        boolean whole;

        /** True if another server redirected it here once (ASK). */
        boolean asking;

        /** The number of redirections. */
        int detours;

        Entry(ScriptCall call, long until) {
            this.call = call;
            this.until = until;
        }

        boolean expired(long now, String address) {
            return until - now <= 0
                    && completeExceptionally(new TransportException(
                            "no command could be sent to Redis at " + address + " in time", false, null));
        }
    }
}
