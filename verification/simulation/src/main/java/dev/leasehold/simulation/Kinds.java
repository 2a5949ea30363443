package dev.leasehold.simulation;

/**
 * Features that joined the simulation after seeds were kept as regressions: each is in some of the independent
 * seeds, by their remainders, and in none of those that are kept.
 */
enum Kinds {
    LATCHES(5, 13),
    ELECTION(7, 15),
    EXPORTS(3, 14),
    REQUESTS(0, 14),
    RETENTION(6, 10);

    private static final long PERIOD = 16;

    private final long one;
    private final long another;

    Kinds(long one, long another) {
        this.one = one;
        this.another = another;
    }

    boolean in(long seed) {
        long remainder = seed % PERIOD;
        return seed >= PlanMaker.FIRST && (remainder == one || remainder == another);
    }
}
