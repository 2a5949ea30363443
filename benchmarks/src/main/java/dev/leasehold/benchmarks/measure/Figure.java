package dev.leasehold.benchmarks.measure;

/** What a round can tell beside what every round tells. */
public enum Figure {
    /** Pairs of the JVM that had the fewest, divided by those of the one that had the most. */
    SLOWEST_TO_FASTEST,
    /** The longest that a thread waited, in milliseconds. */
    LONGEST_WAIT_MILLIS,
    /** How often the lock passed from one process to another. */
    HAND_OFFS,
    /** Script calls of all processes, divided by the times that the lock passed from one to another. */
    SCRIPTS_PER_HAND_OFF,
    /** From the call of a release to the next process being inside, in microseconds, the median. */
    GAP_MICROS,
    /** A bare script call after a pause of 5 ms, in microseconds, the median. */
    ROUND_TRIP_MICROS,
    /** A release while all others are at work, after the work inside, in microseconds, the median. */
    RELEASE_MICROS,
    /** The gap in round trips. */
    GAP_ROUND_TRIPS,
    /** How many waited. */
    WAITERS,
    /** How many of them got the lock and released it. */
    SERVED,
    /** From the first release sent to the answer to the last waiter's own release, in seconds. */
    SERVED_SECONDS,
    /** Commands a second that each waiter costs while nothing happens. */
    IDLE_COMMANDS,
    /** Channels and patterns to which connections are subscribed while all wait. */
    SUBSCRIPTIONS,
    /** Waiters that got the lock after one that came later. */
    OUT_OF_ORDER,
    /** Locks that were not held any more when they were released. */
    LOST,
    /** CPU time of the clients, as a part of one core. */
    CLIENT_CPU,
    /** CPU time of the server, as a part of one core. */
    SERVER_CPU,
    /** What is held took in the client's heap, in megabytes. */
    HEAP_MEGABYTES,
    /** Calls that failed with an error. */
    ERRORS
}
