package dev.leasehold;

import java.time.Duration;

/**
 * Where a lock must have arrived before it counts as acquired: at so many replicas, or on so many disks. Immutable.
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
 * <p>{@linkplain #onDisk On disk} asks by {@code WAITAOF} instead, which Redis and Valkey know from 7.2 on: there an
 * acknowledgement says that the lock is in the append-only file and that this has been synced. So the primary that restarts,
 * though the power failed, still knows the lock. The primary itself has to have it; replicas are counted beside it.
 *
 * @param replicas how many, at least 1; 0 means that none is awaited, the default; on disk, 0 means the primary alone
 * @param within how long they are awaited after Redis has executed the request: at least 1 ms, and at most a third of the
 *     lease; zero if none is awaited
 * @param onDisk whether the primary must have it on its disk, and the replicas on theirs; default false
 */
public record Durability(int replicas, Duration within, boolean onDisk) {

    private static final Durability NONE = new Durability(0, Duration.ZERO, false);
    private static final Duration MIN_WITHIN = Duration.ofMillis(1);

    /** Which part of the lease they may be awaited for: the rest is for renewals that are tried again. */
    private static final int PART_OF_LEASE = 3;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the number is negative or the time shorter than 1 ms, except for both being 0 and
     *     not on disk
     */
    public Durability {
        boolean none = !onDisk && replicas == 0 && within.isZero();
        if (onDisk && replicas < 0) {
            throw new IllegalArgumentException("number of replicas " + replicas
                    + " must not be negative. Use onDisk(0, ...) to wait for the disk of the primary alone");
        }
        if (!onDisk && !none && replicas < 1) {
            throw new IllegalArgumentException(
                    "number of replicas " + replicas + " must be positive. Use Durability.none() to wait for none");
        }
        if (!none && within.compareTo(MIN_WITHIN) < 0) {
            throw new IllegalArgumentException("time for " + what(onDisk) + " " + within
                    + " is too short: it must be at least " + MIN_WITHIN + ". Choose "
                    + (onDisk
                            ? "more than a second where appendfsync is everysec, such as 2 s"
                            : "a few round trips between primary and replicas, such as 200 ms"));
        }
    }

    private static String what(boolean onDisk) {
        return onDisk ? "disks" : "replicas";
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
        return new Durability(replicas, within, false);
    }

    /**
     * Waits until the lock is on the disk of the primary and of so many replicas.
     *
     * @param replicas how many beside the primary; 0 for the primary alone
     * @param within how long, at least 1 ms and at most a third of the lease. With {@code appendfsync everysec} a disk has it
     *     after a second and more
     * @return the durability
     */
    public static Durability onDisk(int replicas, Duration within) {
        return new Durability(replicas, within, true);
    }

    /**
     * Whether anything is awaited.
     *
     * @return false for {@link #none()}
     */
    public boolean enabled() {
        return onDisk || replicas > 0;
    }

    /** Refuses a time that leaves too little of the lease. */
    void checkLeaseTime(Duration leaseTime) {
        if (enabled() && within.compareTo(leaseTime.dividedBy(PART_OF_LEASE)) > 0) {
            throw new IllegalArgumentException(
                    "time for " + what(onDisk) + " " + within + " is too long for a lease of " + leaseTime
                            + ": it must be at most a third of it, so that renewals can be tried again. Shorten it, or"
                            + " lengthen the lease");
        }
    }
}
