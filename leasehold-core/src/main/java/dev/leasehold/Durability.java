package dev.leasehold;

import java.time.Duration;

/**
 * How many replicas must have a lock before it counts as acquired. Immutable.
 *
 * <p>With replicas, Redis is asked by {@code WAIT}, on a connection kept for this, after each request that acquires,
 * renews or extends. If too few have acknowledged within the time, an acquisition gives the lock back and throws
 * {@link TooFewReplicasException}; a renewal counts as not confirmed, and is tried again until the lease's deadline. So
 * a lease is never valid for longer than that many replicas know of.
 *
 * <p>An acknowledgement says that a replica has received the lock, not that it has written it to its disk, nor that this
 * replica will be the next primary. Ask for all replicas if any of them may be promoted: with fewer, a fail-over to one
 * of the others can lose the lock. Releases are not waited for.
 *
 * @param replicas how many, at least 1; 0 means that none is awaited, the default
 * @param within how long they are awaited after Redis has executed the request: at least 1 ms, and at most a third of the
 *     lease; zero if none is awaited
 */
public record Durability(int replicas, Duration within) {

    private static final Durability NONE = new Durability(0, Duration.ZERO);
    private static final Duration MIN_WITHIN = Duration.ofMillis(1);

    /** Which part of the lease they may be awaited for: the rest is for renewals that are tried again. */
    private static final int PART_OF_LEASE = 3;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the number is negative or the time shorter than 1 ms, except for both being 0
     */
    public Durability {
        boolean none = replicas == 0 && within.isZero();
        if (!none && replicas < 1) {
            throw new IllegalArgumentException(
                    "number of replicas " + replicas + " must be positive. Use Durability.none() to wait for none");
        }
        if (!none && within.compareTo(MIN_WITHIN) < 0) {
            throw new IllegalArgumentException("time for replicas " + within + " is too short: it must be at least "
                    + MIN_WITHIN + ". Choose a few round trips between primary and replicas, such as 200 ms");
        }
    }

    /**
     * Waits for no replica: the default. A fail-over may lose the latest locks.
     *
     * @return the one shared instance
     */
    public static Durability none() {
        return NONE;
    }

    /**
     * Waits for so many replicas.
     *
     * @param replicas how many, at least 1
     * @param within how long, at least 1 ms and at most a third of the lease
     * @return the durability
     */
    public static Durability replicas(int replicas, Duration within) {
        if (replicas == 0) {
            throw new IllegalArgumentException(
                    "number of replicas 0 must be positive. Use Durability.none() to wait for none");
        }
        return new Durability(replicas, within);
    }

    /**
     * Whether replicas are awaited.
     *
     * @return false for {@link #none()}
     */
    public boolean enabled() {
        return replicas > 0;
    }

    /** Refuses a time that leaves too little of the lease. */
    void checkLeaseTime(Duration leaseTime) {
        if (enabled() && within.compareTo(leaseTime.dividedBy(PART_OF_LEASE)) > 0) {
            throw new IllegalArgumentException(
                    "time for replicas " + within + " is too long for a lease of " + leaseTime
                            + ": it must be at most a third of it, so that renewals can be tried again. Shorten it, or"
                            + " lengthen the lease");
        }
    }
}
