package dev.leasehold.simulation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The features that an acquisition uses.
 *
 * @param reads whether it shares the lock with other readers
 * @param fair whether it waits in a fair queue
 * @param permits how many permits it requests, if its lock is a semaphore; else 0
 * @param other the number of the lock that is acquired together with its own; below 0 if there is none
 * @param retainMillis for how long its client retains the hold; 0 if it does not
 * @param minHoldMillis the minimum hold; 0 if there is none
 * @param replicaMillis for how long it waits for the replica; 0 if it does not
 * @param releaseCancelledAfter the time after which the caller of its release gives up; below 0 never
 * @param export the transfer of its lease to another process; null if there is none
 */
record Use(
        boolean reads,
        boolean fair,
        int permits,
        int other,
        long retainMillis,
        long minHoldMillis,
        long replicaMillis,
        long releaseCancelledAfter,
        @Nullable Export export) {

    /** No feature. */
    static final Use NONE = new Use(false, false, 0, -1, 0, 0, 0, -1, null);

    /**
     * The transfer of a lease to another process.
     *
     * @param after the time of the export after the grant
     * @param client the client that resumes it
     * @param delay the time that its string takes
     * @param way its holder's actions then
     * @param second a second client that tries to resume it; below 0 if there is none
     * @param cancelAfter the time after which the resuming client gives up; below 0 if it does not
     */
    record Export(long after, int client, long delay, Way way, int second, long cancelAfter) {}

    /** The actions of a holder that has exported its lease. */
    enum Way {
        /** Closes the lease immediately. */
        CLOSES,
        /** Continues, and closes it in the end. */
        GOES_ON,
        /** Continues, and releases the lock in the end. */
        RELEASES;

        static Way drawn(Draws draws) {
            List<Way> ways = List.of(values());
            return ways.get(draws.below(ways.size()));
        }
    }
}
