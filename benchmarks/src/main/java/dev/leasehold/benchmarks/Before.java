package dev.leasehold.benchmarks;

/**
 * Figures of Leasehold at commit 0a0df92 of 2026-11-25, before uncontended pairs were made leaner: a run cannot measure them, and some
 * bars compare with them. Bytes hardly depend on the speed of the machine; the p99 is relative to the floor of the same run.
 *
 * <p>There are two figures for the bytes of each client. Until then the benchmark probed a name just before it measured it, so the
 * client remembered contention and sent the script for any state of the lock. Since then it sends the one for a free lock, which
 * allocates less.
 *
 * @param anyState bytes per pair with one thread, by the script for any state
 * @param free bytes per pair with one thread, by the script for a free lock
 */
record Before(double anyState, double free) {

    static final Before LETTUCE = new Before(9_078, 7_836);
    static final Before JEDIS = new Before(9_704, 8_488);

    /** How much longer than that of its own scripts sent bare the p99 of a pair with 16 threads on 16 names may be. */
    static final double P99_TO_FLOOR = 1.1;
}
