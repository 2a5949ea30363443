package dev.leasehold.internal.engine;

import java.util.concurrent.locks.LockSupport;

/**
 * How often a holder's own request is repeated on its thread when it fails at once, as it does on a connection that just
 * broke: a few times with short pauses, in which a client of Redis reconnects. What is still open then goes on in the
 * background, or is told to the caller.
 */
final class Retry {

    static final int TRIES = 4;

    private static final long FIRST_PAUSE_NANOS = 10_000_000;

    private Retry() {}

    static void pause(int triesBefore, long nanosLeft) {
        long pause = Math.min(FIRST_PAUSE_NANOS << triesBefore, nanosLeft);
        if (triesBefore + 1 < TRIES && pause > 0) {
            LockSupport.parkNanos(pause);
        }
    }
}
