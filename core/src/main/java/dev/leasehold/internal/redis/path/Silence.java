package dev.leasehold.internal.redis.path;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The silence of one connection that many callers share: whether it has been asked something and nothing has arrived since.
 * Callers have timeouts of their own, and report that they gave up; how long each waited does not matter. So many short
 * waits that follow one another end a silent connection as soon as one long one does, and a caller that hardly waits ends
 * none that answers. Safe for use by any thread.
 */
public final class Silence {

    /** The number of replies and messages that have arrived. */
    private final AtomicLong arrivals = new AtomicLong();

    private final AtomicReference<@Nullable Unanswered> first = new AtomicReference<>();

    /**
     * The first command since the last arrival whose caller gave up.
     *
     * @param arrivals how many replies had arrived when it was sent
     * @param sentAt when it was sent, in ns
     */
    private record Unanswered(long arrivals, long sentAt) {}

    /** Something has arrived. */
    public void ended() {
        arrivals.incrementAndGet();
    }

    /** Returns how many replies and messages have arrived. */
    public long arrivals() {
        return arrivals.get();
    }

    /** Returns whether nothing has arrived since then. */
    public boolean lastsSince(long arrivalsBefore) {
        return arrivals.get() == arrivalsBefore;
    }

    /**
     * The caller of a command gave up, and nothing has arrived since it was sent.
     *
     * @param arrivalsBefore how many replies had arrived when it was sent
     * @param sentAt when it was sent, in ns
     * @return since when the connection is known to have been asked and silent, in ns
     */
    public long unanswered(long arrivalsBefore, long sentAt) {
        while (true) {
            Unanswered known = first.get();
            if (known != null && known.arrivals == arrivalsBefore && known.sentAt - sentAt <= 0) {
                return known.sentAt;
            }
            if (first.compareAndSet(known, new Unanswered(arrivalsBefore, sentAt))) {
                return sentAt;
            }
        }
    }
}
