package dev.leasehold.console.internal.observe;

import java.util.List;
import java.util.Set;

/**
 * The last state that the console knows.
 *
 * @param status whether it is current
 * @param locks the held locks, the oldest hold first
 * @param unreachable servers that did not answer, whose locks are left out
 * @param problem why there is no newer state; empty if there is one
 * @param nanos when the locks were read, by the monotonic clock
 * @param wallMillis the same by the wall clock; 0 if they were never read
 * @param commands about how many commands the refresh took
 * @param intervalMillis the time between two refreshes
 */
public record Snapshot(
        Status status,
        List<HeldLock> locks,
        Set<String> unreachable,
        String problem,
        long nanos,
        long wallMillis,
        int commands,
        long intervalMillis) {

    static final Snapshot NONE = new Snapshot(Status.LOADING, List.of(), Set.of(), "", 0, 0, 0, 1000);

    /** Whether a state is current. */
    public enum Status {
        /** Nothing has been read yet. */
        LOADING,
        /** Redis answered the last refresh. */
        LIVE,
        /** Redis did not answer the last refresh: the state is that of an earlier one. */
        GONE
    }

    Snapshot gone(String why) {
        return new Snapshot(Status.GONE, locks, unreachable, why, nanos, wallMillis, commands, intervalMillis);
    }

    /** Returns the commands a second that refreshes send. */
    public double commandsPerSecond() {
        return commands * 1000.0 / intervalMillis;
    }
}
