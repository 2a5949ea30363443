package dev.leasehold.internal.request;

/**
 * How often a holder's own request is repeated when it fails at once, as it does on a connection that just broke: a few
 * times with short pauses, in which a client of Redis reconnects. What is still open then goes on in the background, or
 * is told to the caller.
 */
public final class Retry {

    public static final int TRIES = 4;

    private static final long FIRST_PAUSE_NANOS = 10_000_000;

    private Retry() {}

    /** How long to pause after so many tries; no longer than what is left. */
    public static long pause(int tries, long nanosLeft) {
        return tries >= TRIES ? 0 : Math.max(0, Math.min(FIRST_PAUSE_NANOS << (tries - 1), nanosLeft));
    }
}
