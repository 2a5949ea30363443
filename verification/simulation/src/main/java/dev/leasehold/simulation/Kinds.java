package dev.leasehold.simulation;

/**
 * Features that joined the simulation after seeds were kept as regressions: each is in some of the independent
 * seeds, by their remainders, and in none of those that are kept.
 */
enum Kinds {
    LATCHES(5, 13),
    ELECTION(7, 15),
    EXPORTS(3, 14),
    REQUESTS(0, 12, 14),
    RETENTION(6, 10),
    COMBINING(9, 15),
    TRACKING(1, 4, 8, 10, 11, 12, 15);

    private static final long PERIOD = 16;

    /** A bit for each remainder. */
    private final long remainders;

    Kinds(int... remainders) {
        long bits = 0;
        for (int remainder : remainders) {
            bits |= 1L << remainder;
        }
        this.remainders = bits;
    }

    boolean in(long seed) {
        return seed >= PlanMaker.FIRST && !SeedRange.QUORUM.has(seed) && (remainders >> seed % PERIOD & 1) == 1;
    }
}
