package dev.leasehold;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when Redis granted the lock, but too few replicas acknowledged it in time
 * ({@link LockOptions.Builder#replicas}), or too few servers have it on disk ({@link LockOptions.Builder#onDisk}). Also
 * thrown when the server reports no number: {@code WAIT} or {@code WAITAOF} is unknown or forbidden, or there is no
 * append-only file. The lock is not acquired. The client releases it in the background as soon as Redis answers, so
 * {@link #mayBeTaken()} is true.
 */
public final class TooFewReplicasException extends LockUnavailableException {

    private static final long serialVersionUID = 1L;

    private final int wanted;
    private final int acknowledged;

    /**
     * Creates the exception; only Leasehold calls this.
     *
     * @param lockName the lock
     * @param wanted the required number of replicas; on disk, of servers including the primary
     * @param acknowledged the number that acknowledged, or -1 if the server reported none
     * @param message what happened and what the reader can do next
     * @param cause what Redis answered to {@code WAIT} or {@code WAITAOF}, or null
     */
    public TooFewReplicasException(
            String lockName, int wanted, int acknowledged, String message, @Nullable Throwable cause) {
        super(lockName, true, message, cause);
        this.wanted = wanted;
        this.acknowledged = acknowledged;
    }

    /**
     * Returns the required number of replicas; on disk, of servers including the primary.
     *
     * @return at least 1
     */
    public int wanted() {
        return wanted;
    }

    /**
     * Returns how many replicas or servers acknowledged in time.
     *
     * @return less than {@link #wanted()}; -1 if the server reported no number, because it cannot or may not
     */
    public int acknowledged() {
        return acknowledged;
    }
}
