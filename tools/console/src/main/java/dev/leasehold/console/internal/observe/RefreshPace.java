package dev.leasehold.console.internal.observe;

import java.time.Duration;

/** How often the locks are read: every second, and less often if that would take more than 200 commands a second. */
final class RefreshPace {

    /** The most commands a second that the console sends for its refreshes. */
    static final int MOST_COMMANDS = 200;

    private static final Duration SHORTEST = Duration.ofSeconds(1);

    /** The description of the servers, and the last page of the scan. */
    private static final int OVERHEAD = 2;

    private static final int KEYS_A_PAGE = 500;
    private static final double MILLIS = 1000;

    private RefreshPace() {}

    /** Returns about how many commands a refresh sends that finds so many held locks. */
    static int commands(int locks) {
        return OVERHEAD + locks / KEYS_A_PAGE + locks;
    }

    /** Returns the time from the start of one refresh to the start of the next. */
    static Duration interval(int commands) {
        Duration bounded = Duration.ofMillis((long) Math.ceil(commands * MILLIS / MOST_COMMANDS));
        return bounded.compareTo(SHORTEST) > 0 ? bounded : SHORTEST;
    }
}
