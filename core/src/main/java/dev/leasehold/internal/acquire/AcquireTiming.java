package dev.leasehold.internal.acquire;

import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.wait.QueueEntry;
import dev.leasehold.internal.wait.WaitSchedule;

/** The times of one acquisition: when it sends its next request, how long that may take, and when it gives up. */
final class AcquireTiming {

    /** A shorter timeout would cut off the answer of a healthy Redis, and leave the outcome open. */
    private static final long MIN_TIMEOUT_NANOS = 5_000_000;

    private final WaitSchedule schedule;
    private final QueueEntry entry;
    private final boolean namedOwner;
    private long pauseUntil;

    AcquireTiming(AcquireRequest request, WaitSchedule schedule, QueueEntry entry, long now) {
        this.schedule = schedule;
        this.entry = entry;
        this.namedOwner = request.owner() != null;
        this.pauseUntil = now;
    }

    /** The time of the next request, unless a wake-up ends the pause. */
    long pauseUntil() {
        return pauseUntil;
    }

    /**
     * Plans the pause before the next request. Returns whether there is one.
     *
     * @param local whether others of this process hand the lock to it
     * @param asked whether it has sent a request that was answered, so that requests of others may act for it
     * @param open whether its latest request got no answer: it may have the lock, or a position that it does not know, so nobody
     *     else acts for it
     */
    boolean planPause(long now, boolean local, boolean asked, boolean open) {
        boolean requested = entry.takePollRequest();
        if (requested) {
            pauseUntil = now;
        } else if (local && !namedOwner && !open) {
            pauseUntil = schedule.deadline();
        }
        if (!requested && !local && asked && !open && pauseUntil - now <= 0) {
            pauseUntil = schedule.pollAt(pauseUntil, now, entry.exemptUntil(now, schedule.lastPoll()));
        }
        return pauseUntil - now > 0;
    }

    void busy(long now, AcquireHold.Answer answer) {
        long left = answer.leftNanos();
        pauseUntil = entry.queueForWakeUp()
                ? schedule.nextPoll(now, left, answer.rank())
                : schedule.nextTry(now, left, answer.pauseNanos());
    }

    void failed(long now, int failures) {
        pauseUntil = schedule.retryAfterFailure(now, failures);
    }

    long deadline() {
        return schedule.deadline();
    }

    boolean deadlinePassed(long now) {
        return now - schedule.deadline() >= 0;
    }

    boolean anotherTryFits(long now) {
        return schedule.anotherTryFits(now);
    }

    boolean exhausted(int tries) {
        return schedule.exhausted(tries);
    }

    /** Returns the timeout of a request that is sent now: that of a command, as far as the deadline allows. */
    long timeout(long now, long most) {
        return Math.max(MIN_TIMEOUT_NANOS, Math.min(most, schedule.deadline() - now));
    }
}
