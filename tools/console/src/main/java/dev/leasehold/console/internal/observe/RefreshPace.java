package dev.leasehold.console.internal.observe;

import java.time.Duration;

/**
 * How often the locks are read: every second, and less often if that would take more than 200 commands a second, or more than a tenth
 * of the time. The latter is for clusters, where each lock takes a command of its own.
 */
public final class RefreshPace {

    /** The most commands a second that the console sends for its refreshes. */
    static final int MOST_COMMANDS = 200;

    private static final Duration SHORTEST = Duration.ofSeconds(1);

    /** The description of the servers, and the last page of the scan. */
    private static final int OVERHEAD = 2;

    private static final int KEYS_A_PAGE = 500;
    private static final int LOCKS_A_COMMAND = 100;
    private static final int TIMES_ITS_DURATION = 10;
    private static final double MILLIS = 1000;

    private RefreshPace() {}

    /** Returns about how many commands a refresh of one server sends that finds so many held locks. */
    static int commands(int locks) {
        return OVERHEAD + locks / KEYS_A_PAGE + (locks + LOCKS_A_COMMAND - 1) / LOCKS_A_COMMAND;
    }

    /** Returns the time from the start of one refresh, which took so long, to the start of the next. */
    static Duration interval(int commands, Duration took) {
        Duration bounded = Duration.ofMillis((long) Math.ceil(commands * MILLIS / MOST_COMMANDS));
        return longest(longest(bounded, took.multipliedBy(TIMES_ITS_DURATION)), SHORTEST);
    }

    /**
     * Returns the time between two readings of the wait graph, each of which reads all locks and asks their processes: every two
     * seconds, and less often if that would take more than a tenth of the time.
     */
    public static Duration ofWaits(Duration took) {
        return longest(took.multipliedBy(TIMES_ITS_DURATION), SHORTEST.multipliedBy(2));
    }

    private static Duration longest(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
