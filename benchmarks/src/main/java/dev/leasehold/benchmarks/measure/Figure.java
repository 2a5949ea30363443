package dev.leasehold.benchmarks.measure;

/** The optional figures of a round. */
public enum Figure {
    /** Pairs of the JVM that had the fewest, divided by those of the one that had the most. */
    SLOWEST_TO_FASTEST,
    /** The longest wait of a thread, in milliseconds. */
    LONGEST_WAIT_MILLIS,
    /** The number of times the lock passed from one process to another. */
    HAND_OFFS,
    /** Script calls of all processes, divided by the number of times the lock passed from one to another. */
    SCRIPTS_PER_HAND_OFF,
    /** The time from the call of a release to the acquisition by the next process, in microseconds, the median. */
    GAP_MICROS,
    /** A bare script call after a pause of 5 ms, in microseconds, the median. */
    ROUND_TRIP_MICROS,
    /** A release while all others work, without the work inside the lock, in microseconds, the median. */
    RELEASE_MICROS,
    /** The gap in round trips. */
    GAP_ROUND_TRIPS,
    /** The time to acquire a lock that another process released a moment before, in microseconds, the median. */
    TAKE_MICROS,
    /** Commands a second that the server read from all clients. */
    COMMANDS_PER_SECOND,
    /** The number of waiters. */
    WAITERS,
    /** The number of waiters that acquired and released the lock. */
    SERVED,
    /** The time from the first release sent to the answer to the last waiter's own release, in seconds. */
    SERVED_SECONDS,
    /** Commands a second for each waiter while nothing happens. */
    IDLE_COMMANDS,
    /** Channels and patterns to which connections are subscribed while all wait. */
    SUBSCRIPTIONS,
    /** Waiters that acquired the lock after one that arrived later. */
    OUT_OF_ORDER,
    /** Locks that were no longer held when they were released. */
    LOST,
    /** CPU time of the clients, as a part of one core. */
    CLIENT_CPU,
    /** CPU time of the server, as a part of one core. */
    SERVER_CPU,
    /** The size of the held locks in the client's heap, in megabytes. */
    HEAP_MEGABYTES,
    /** Calls that failed with an error. */
    ERRORS
}
