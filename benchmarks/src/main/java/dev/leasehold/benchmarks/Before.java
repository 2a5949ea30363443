package dev.leasehold.benchmarks;

/**
 * Figures of Leasehold at commit 0a0df92 of 2026-11-25, before uncontended pairs were made leaner: a run cannot measure them, and some
 * bars compare with them. Bytes do not depend on the speed of the machine; the p99 is relative to the floor of the same run.
 */
final class Before {

    /** The bytes that the client allocated for a pair over Lettuce, with one thread. */
    static final double LETTUCE_BYTES = 9_078;

    /** The same over Jedis. */
    static final double JEDIS_BYTES = 9_704;

    /** The p99 of a pair over Lettuce with 16 threads on 16 names, divided by that of its own scripts sent bare. */
    static final double P99_TO_FLOOR = 1.1;

    private Before() {}
}
