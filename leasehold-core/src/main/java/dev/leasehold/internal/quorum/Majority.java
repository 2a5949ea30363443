package dev.leasehold.internal.quorum;

import java.util.Collection;
import java.util.Comparator;

/**
 * How many of so many servers are a majority, and what follows from that. Pure arithmetic, in ns.
 *
 * @param nodes how many servers there are
 */
record Majority(int nodes) {

    /** Servers are kept as bits of a number. */
    static final int MOST_NODES = 63;

    private static final long FIRST_WINDOW_NANOS = 4_000_000;
    private static final int MOST_DOUBLINGS = 6;
    private static final long MIN_TIMEOUT_NANOS = 10_000_000;
    private static final int ROUNDS_A_LEASE = 8;
    private static final long PATIENCE_NANOS = 2_000_000;

    Majority {
        if (nodes < 1 || nodes > MOST_NODES) {
            throw new IllegalArgumentException(nodes + " servers: a quorum has 1 to " + MOST_NODES);
        }
    }

    /** Two sets of so many have a server in common. */
    int needed() {
        return nodes / 2 + 1;
    }

    /** How many may fail. */
    int spare() {
        return nodes - needed();
    }

    boolean reached(int yes) {
        return yes >= needed();
    }

    /** Whether it can still be reached by those of whom nothing is known yet. */
    boolean possible(int yes, int open) {
        return yes + open >= needed();
    }

    /** For how long a majority lasts, if its members last so long: until it is none any more. */
    long lasting(Collection<Long> leftNanos) {
        return leftNanos.stream()
                .sorted(Comparator.reverseOrder())
                .skip(needed() - 1L)
                .findFirst()
                .orElse(0L);
    }

    /**
     * The token of a hold whose grantors, a majority or more, gave these: the least that is as high as those of some
     * majority. Who has ever known a lower one is then surpassed, for two majorities have a server in common; and of all
     * servers a majority has given it or a higher one.
     */
    long token(Collection<Long> given) {
        return given.stream().sorted().skip(needed() - 1L).findFirst().orElseThrow();
    }

    /** After how long a majority may be free, if those that are taken last so long; the others are free or silent. */
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
     * How long to pause after so many tries in vain, at random within a window that grows: where several have a part of the
     * servers each, one of them must come alone once.
     *
     * @param random from 0 to 1
     */
    static long pause(int triesInVain, double random) {
        return (long) ((FIRST_WINDOW_NANOS << Math.min(triesInVain, MOST_DOUBLINGS)) * random);
    }

    /**
     * How long to wait for the answer of one server: so short that two rounds leave most of the lease.
     *
     * @param callNanos what the caller gives for both rounds
     */
    static long nodeTimeout(long configuredNanos, long leaseNanos, long callNanos) {
        long most = Math.min(configuredNanos, Math.max(MIN_TIMEOUT_NANOS, leaseNanos / ROUNDS_A_LEASE));
        return Math.max(1, Math.min(most, callNanos / 2));
    }

    /**
     * How long after the first request to wait for the answers of those who are still to come, once a majority has
     * answered: about as long as another round would take.
     *
     * @param majorityNanos how long that majority took
     */
    static long patience(long majorityNanos) {
        return 2 * majorityNanos + PATIENCE_NANOS;
    }
}
