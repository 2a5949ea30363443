package dev.leasehold;

import org.jspecify.annotations.Nullable;

/**
 * Redis took the lock, but fewer replicas than asked for ({@link LockOptions.Builder#replicas}) acknowledged it in time,
 * or fewer servers have it on disk ({@link LockOptions.Builder#onDisk}), or the server does not tell ({@code WAIT} or
 * {@code WAITAOF} is unknown or forbidden there, or it has no append-only file). The lock is not acquired: it is given
 * back, in the background as soon as Redis answers, so {@link #mayBeTaken()} is true.
 */
public final class TooFewReplicasException extends LockUnavailableException {

    private static final long serialVersionUID = 1L;

    private final int wanted;
    private final int acknowledged;

    /**
     * Made by Leasehold.
     *
     * @param lockName the lock
     * @param wanted how many replicas were to acknowledge; on disk, how many servers with the primary
     * @param acknowledged how many did, or -1 if the server did not tell
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
     * How many replicas were to acknowledge; if it was to be on disk, how many servers, the primary among them.
     *
     * @return at least 1
     */
    public int wanted() {
        return wanted;
    }

    /**
     * How many acknowledged within the time.
     *
     * @return less than {@link #wanted()}; -1 if the server did not tell, because it cannot or may not
     */
    public int acknowledged() {
        return acknowledged;
    }
}
