package dev.leasehold.internal.acquire;

import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.Retry;
import dev.leasehold.internal.time.WaitLimit;
import dev.leasehold.internal.wait.Outage;
import dev.leasehold.internal.wait.QueueEntry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The failures of one acquisition, and the outage that they are part of. The waiters of one local queue share an outage:
 * those behind the first, which send nothing, must not report the lock as busy while Redis does not answer the first.
 */
final class AcquireFailures {

    private final RequestContext context;
    private final QueueEntry entry;
    private final WaitLimit limit;
    private final long startedAt;
    private @Nullable RuntimeException last;
    private int count;

    /** When the outage began; 0 if there is none. */
    private long since;

    AcquireFailures(RequestContext context, QueueEntry entry, WaitLimit limit, long startedAt) {
        this.context = context;
        this.entry = entry;
        this.limit = limit;
        this.startedAt = startedAt;
    }

    /** The latest failure since Redis answered; null if there is none. */
    @Nullable
    RuntimeException last() {
        return last;
    }

    void last(RuntimeException failure) {
        last = failure;
    }

    /** The number of failures; answers do not reset it. */
    int count() {
        return count;
    }

    boolean inOutage() {
        return since != 0;
    }

    /** Returns for how long several requests got no answer; zero if it was one, which says so itself. */
    Duration silence(long now) {
        return Duration.ofNanos(since == 0 || count == 1 ? 0 : now - since);
    }

    /** Redis answered. */
    void over() {
        since = 0;
        last = null;
        entry.outage(null, 0);
    }

    /** Counts the latest failure, of a request with this timeout that was sent at that moment. */
    void count(long sentAt, long timeoutNanos) {
        count++;
        long stood = Retry.stoodStill(context.now(), sentAt, timeoutNanos);
        since = (since == 0 ? sentAt : since) + stood;
        RuntimeException failure = last;
        if (failure != null) {
            Outage known = entry.outage();
            long began = known == null ? since : known.since() + stood;
            entry.outage(failure, began);
            since = later(began, startedAt);
        }
    }

    /** Returns whether an acquisition without a time limit gives up now. */
    boolean outlastTolerance(long now) {
        return limit.kind() == WaitLimit.Kind.UNLIMITED && outlasts(now, since);
    }

    /** Returns whether a waiter behind the first gives up now, because the first gets no answer. */
    boolean firstGetsNoAnswer(long now, long deadline) {
        Outage outage = entry.outage();
        if (outage == null) {
            return false;
        }
        boolean over = limit.kind() == WaitLimit.Kind.UNLIMITED
                ? outlasts(now, later(outage.since(), startedAt))
                : now - deadline >= 0;
        if (over) {
            last = outage.last();
            since = later(outage.since(), startedAt);
        }
        return over;
    }

    private boolean outlasts(long now, long began) {
        return now - began >= context.limits().outageTolerance().toNanos();
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }
}
