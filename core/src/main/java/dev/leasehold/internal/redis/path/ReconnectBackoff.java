package dev.leasehold.internal.redis.path;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The back-off between attempts to reconnect: from 10 ms doubling to 1 s, of which up to half is left out at random. */
public final class ReconnectBackoff {

    private static final long FIRST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_DELAY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_DOUBLINGS = 10;

    private ReconnectBackoff() {}

    /** Returns how long to wait, in ns, after a number of failed attempts in a row. */
    public static long delayNanos(int failures) {
        long delay = Math.min(FIRST_DELAY_NANOS << Math.min(failures, MAX_DOUBLINGS), LONGEST_DELAY_NANOS);
        return ThreadLocalRandom.current().nextLong(delay / 2, delay + 1);
    }
}
