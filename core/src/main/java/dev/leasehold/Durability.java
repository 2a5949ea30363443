package dev.leasehold;

import java.time.Duration;
import java.util.Objects;

/**
 * The number of replicas or disks that must have a lock before it counts as acquired. Immutable.
 *
 * <p>For replicas, the client sends {@code WAIT} on a dedicated connection after each request that acquires, renews or
 * extends. If too few replicas acknowledge in time, an acquisition releases the lock and throws
 * {@link TooFewReplicasException}. A renewal counts as not confirmed, and is tried again until the lease's deadline. So
 * a lease is never valid for longer than the required number of replicas know.
 *
 * <p>An acknowledgement means that a replica has received the lock. It does not mean that the replica has written the
 * lock to disk, nor that this replica becomes the next primary. Require all replicas if any of them may be promoted:
 * with fewer, a failover to one of the others can lose the lock. Releases do not wait for replicas.
 *
 * <p>{@linkplain #onDisk On disk}, the client sends {@code WAITAOF} instead, which needs Redis or Valkey 7.2 or later.
 * There an acknowledgement means that the lock is in the append-only file and that this file has been synced. So a
 * primary that restarts, even after a power failure, still knows the lock. The primary itself must have it; replicas
 * are counted in addition.
 *
 * @param replicas the number of replicas, at least 1; 0 (the default) waits for none; on disk, 0 means the primary
 *     alone
 * @param within how long to wait for them after Redis has executed the request: at least 1 ms, and at most a third of
 *     the lease time; zero if there is nothing to wait for
 * @param onDisk whether the primary and the replicas must have the lock on disk; default false
 */
public record Durability(int replicas, Duration within, boolean onDisk) {

    private static final Durability NONE = new Durability(0, Duration.ZERO, false);
    private static final Duration MIN_WITHIN = Duration.ofMillis(1);

    /** The wait may last a third of the lease at most; the rest is left for repeated renewals. */
    private static final int PART_OF_LEASE = 3;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the number is negative or the time shorter than 1 ms, except for both being 0 and
     *     not on disk
     */
    public Durability {
        Objects.requireNonNull(within, "within");
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
     * Waits for no replica: the default. A failover may lose the most recent locks.
     *
     * @return the one shared instance
     */
    public static Durability none() {
        return NONE;
    }

    /**
     * Waits for a number of replicas.
     *
     * @param replicas the number of replicas, at least 1
     * @param within how long to wait, at least 1 ms and at most a third of the lease time
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
     * Waits until the lock is on the disk of the primary and of a number of replicas.
     *
     * @param replicas the number of replicas in addition to the primary; 0 for the primary alone
     * @param within how long to wait, at least 1 ms and at most a third of the lease time. With {@code appendfsync
     *     everysec} the sync may take more than a second
     * @return the durability
     */
    public static Durability onDisk(int replicas, Duration within) {
        return new Durability(replicas, within, true);
    }

    /**
     * Returns whether an acquisition waits for replicas or disks.
     *
     * @return false for {@link #none()}
     */
    public boolean enabled() {
        return onDisk || replicas > 0;
    }

    /** Rejects a time that leaves too little of the lease. */
    void checkLeaseTime(Duration leaseTime) {
        if (enabled() && within.compareTo(leaseTime.dividedBy(PART_OF_LEASE)) > 0) {
            throw new IllegalArgumentException(
                    "time for " + what(onDisk) + " " + within + " is too long for a lease of " + leaseTime
                            + ": it must be at most a third of it, so that renewals can be tried again. Shorten it, or"
                            + " lengthen the lease");
        }
    }
}
