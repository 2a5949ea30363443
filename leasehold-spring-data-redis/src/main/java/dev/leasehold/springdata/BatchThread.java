package dev.leasehold.springdata;

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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private final Wires wires;
    private final TimeSource time;
    private final AdaptiveTimeout timeout;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();

    /** Guarded by the lock, as all below. */
    private List<Entry> queue = new ArrayList<>();

    private boolean begun;
    private boolean closed;

    /** Used by the lane's thread only. */
    private @Nullable Wire wire;

    BatchThread(Wires wires, TimeSource time) {
        this.wires = wires;
        this.time = time;
        this.timeout = new AdaptiveTimeout(time);
    }

    List<CompletionStage<List<String>>> send(List<ScriptCall> calls) {
        long now = time.nanoTime();
        List<Entry> entries = calls.stream()
                .map(call -> new Entry(call, now + call.timeoutNanos()))
                .toList();
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
            entries.forEach(entry -> entry.completeExceptionally(Failures.closed(wires.address())));
        }
        return List.copyOf(entries);
    }

    private void begin() {
        if (!begun) {
            begun = true;
            Thread thread = new Thread(this::run, "leasehold-spring-data-lane " + wires.address());
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
                whole.forEach(entry -> entry.completeExceptionally(Failures.unanswered(e, wires.address())));
                drop();
            }
        }
        drop();
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
            next.forEach(entry -> entry.completeExceptionally(Failures.closed(wires.address())));
        }
        return over ? null : next;
    }

    /**
     * By digest; what the server does not know, once more, each script whole for the first of its calls; and what it
     * still does not know, whole for every call. That is no replay: a script that was not found has not run.
     */
    private void exchange(List<Entry> batch) {
        List<Entry> unknown = flushAll(batch, null, false);
        if (!unknown.isEmpty()) {
            unknown = flushAll(unknown, new HashSet<>(), false);
        }
        if (!unknown.isEmpty()) {
            for (Entry entry : flushAll(unknown, null, true)) {
                entry.completeExceptionally(new RedisErrorException("NOSCRIPT to a script that was sent whole"));
            }
        }
    }

    private List<Entry> flushAll(List<Entry> batch, @Nullable Set<String> sentWhole, boolean allWhole) {
        List<Entry> unknown = new ArrayList<>(0);
        List<Entry> flush = new ArrayList<>(batch.size());
        int size = 0;
        for (Entry entry : batch) {
            boolean whole = allWhole
                    || (sentWhole != null && sentWhole.add(entry.call.script().sha1()));
            entry.request = whole ? Request.whole(entry.call) : Request.byDigest(entry.call);
            int more = entry.request.size();
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
        entries.removeIf(entry -> entry.isDone() || entry.expired(now, wires.address()));
        if (entries.isEmpty()) {
            return;
        }
        long longest = 0;
        for (Entry entry : entries) {
            longest = Math.max(longest, entry.until - now);
        }
        Wire over;
        try {
            over = connected(longest);
        } catch (RuntimeException e) {
            entries.forEach(entry -> entry.completeExceptionally(e));
            return;
        }
        timeout.begin(longest);
        List<Answer> answers =
                over.exchange(entries.stream().map(entry -> entry.request).toList(), timeout.nanos());
        boolean sound = judge(over, answers);
        for (int i = 0; i < answers.size(); i++) {
            Entry entry = entries.get(i);
            if (answers.get(i).isUnknownScript() && !entry.isWhole()) {
                unknown.add(entry);
            } else {
                entry.answer(answers.get(i));
            }
        }
        if (!sound) {
            drop();
        }
    }

    /** Runs before the answers are delivered, so that a caller's next call finds the connection used from now on. */
    private boolean judge(Wire over, List<Answer> answers) {
        if (over.isOpen()) {
            timeout.answered();
            return answers.stream().noneMatch(Answer::isOfFormerPrimary);
        }
        for (Answer answer : answers) {
            if (answer.failure() instanceof TransportException failure) {
                if (Failures.isTimeout(failure)) {
                    timeout.unanswered();
                }
                LOG.warn("The connection for renewals is replaced: {}", failure.getMessage());
                break;
            }
        }
        return false;
    }

    private Wire connected(long longestNanos) {
        Wire open = wire;
        if (open != null && open.isOpen()) {
            return open;
        }
        drop();
        timeout.begin(longestNanos);
        try {
            Wire made = wires.open(timeout.nanos());
            wire = made;
            return made;
        } catch (RuntimeException e) {
            if (Failures.isTimeout(e)) {
                timeout.unanswered();
            }
            throw e;
        }
    }

    private void drop() {
        Wire broken = wire;
        wire = null;
        if (broken != null) {
            broken.close();
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

    /** One call, which is also the stage of its caller. */
    private static final class Entry extends CompletableFuture<List<String>> {
        final ScriptCall call;
        final long until;
        Request request;

        Entry(ScriptCall call, long until) {
            this.call = call;
            this.until = until;
            this.request = Request.byDigest(call);
        }

        boolean isWhole() {
            return request.name().equals("EVAL");
        }

        boolean expired(long now, String address) {
            return until - now <= 0
                    && completeExceptionally(new TransportException(
                            "no command could be sent to Redis at " + address + " in time", false, null));
        }

        void answer(Answer answer) {
            if (answer.failure() != null) {
                completeExceptionally(answer.failure());
            } else {
                complete(Replies.strings(answer.reply()));
            }
        }
    }
}
