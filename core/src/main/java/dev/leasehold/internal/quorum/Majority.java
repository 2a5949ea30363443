package dev.leasehold.internal.quorum;

import java.util.Collection;
import java.util.Comparator;

/**
 * The majority of a number of servers, and the arithmetic that depends on it. Pure functions; times in ns.
 *
 * @param nodes the number of servers
 */
record Majority(int nodes) {

    /** A set of servers is a bit mask in a long. */
    static final int MAX_NODES = 63;

    private static final long FIRST_WINDOW_NANOS = 4_000_000;
    private static final long LAST_WINDOW_NANOS = 256_000_000;
    private static final long LONGEST_WINDOW_NANOS = 2_000_000_000;
    private static final int LAST_WINDOW_TRIES = 8;
    private static final int MAX_DOUBLINGS = 6;
    private static final long MIN_TIMEOUT_NANOS = 10_000_000;
    private static final int ROUNDS_PER_LEASE = 8;
    private static final long GRACE_NANOS = 2_000_000;

    Majority {
        if (nodes < 1 || nodes > MAX_NODES) {
            throw new IllegalArgumentException(nodes + " servers: a quorum has 1 to " + MAX_NODES);
        }
    }

    /** Returns the size of a majority: two sets of this size have a server in common. */
    int needed() {
        return nodes / 2 + 1;
    }

    /** Returns how many servers may fail. */
    int spare() {
        return nodes - needed();
    }

    boolean reached(int yes) {
        return yes >= needed();
    }

    /** Returns whether a majority is still possible, given the servers that have not answered. */
    boolean possible(int yes, int open) {
        return yes + open >= needed();
    }

    /** Returns how long a majority of holds remains valid, given the remaining time of each hold. */
    long validFor(Collection<Long> leftNanos) {
        return leftNanos.stream()
                .sorted(Comparator.reverseOrder())
                .skip(needed() - 1L)
                .findFirst()
                .orElse(0L);
    }

    /**
     * Returns the token of a hold from the tokens that its grantors, at least a majority, issued: the lowest token that
     * is at least as high as those of some majority. It exceeds every token of an earlier hold, because two majorities
     * have a server in common. If an odd number of servers all granted, a majority of them issued this token or a
     * higher one.
     */
    long token(Collection<Long> given) {
        return given.stream().sorted().skip(needed() - 1L).findFirst().orElseThrow();
    }

    /**
     * Returns the time after which a majority may be free, given the remaining times of the busy servers; the other
     * servers are free or silent.
     */
    long freeAfter(Collection<Long> leftNanos) {
        int free = nodes - leftNanos.size();
        if (reached(free)) {
            return 0;
        }
        return leftNanos.stream()
                .sorted()
                .skip(needed() - free - 1L)
                .findFirst()
                .orElse(0L);
    }

    /**
     * Returns the pause after a number of failed tries, at random within a growing window: if several clients each hold
     * some of the servers, one of them must eventually try alone. So the window grows to several times what a try takes.
     *
     * @param tryNanos how long the last try took
     * @param random from 0 to 1
     */
    static long pause(int failedTries, long tryNanos, double random) {
        long first = Math.max(FIRST_WINDOW_NANOS, tryNanos);
        long last = Math.max(LAST_WINDOW_NANOS, Math.min(LAST_WINDOW_TRIES * tryNanos, LONGEST_WINDOW_NANOS));
        return (long) (Math.min(first << Math.min(failedTries, MAX_DOUBLINGS), last) * random);
    }

    /**
     * Returns how long to wait for the answer of one server: so short that two rounds leave most of the lease.
     *
     * @param callNanos the caller's timeout for both rounds
     */
    static long nodeTimeout(long configuredNanos, long leaseNanos, long callNanos) {
        long most = Math.min(configuredNanos, Math.max(MIN_TIMEOUT_NANOS, leaseNanos / ROUNDS_PER_LEASE));
        return Math.max(1, Math.min(most, callNanos / 2));
    }

    /**
     * Returns how long after the first request to wait for the remaining servers, once a majority has answered: about
     * as long as another round would take.
     *
     * @param majorityNanos how long the majority took to answer
     */
    static long gracePeriod(long majorityNanos) {
        return 2 * majorityNanos + GRACE_NANOS;
    }
}
