package dev.leasehold.internal.request;

/**
 * The retries of a holder's own request that fails immediately, as it does on a connection that has just broken. There are a
 * few tries with short pauses, in which a Redis client reconnects. After the last try the work continues in the background,
 * or the failure is thrown to the caller.
 */
public final class Retry {

    /** The maximum number of tries. */
    public static final int TRIES = 4;

    private static final long FIRST_PAUSE_NANOS = 10_000_000;

    private Retry() {}

    /**
     * Returns for how long this process stood still while it waited for an answer: what a request took beyond its timeout is no
     * silence of Redis.
     */
    public static long stoodStill(long now, long sentAt, long timeoutNanos) {
        return Math.max(0, now - sentAt - timeoutNanos);
    }

    /** Returns the pause in ns after a number of tries; at most the time that is left. */
    public static long pause(int tries, long nanosLeft) {
        return tries >= TRIES ? 0 : Math.max(0, Math.min(FIRST_PAUSE_NANOS << (tries - 1), nanosLeft));
    }
}
