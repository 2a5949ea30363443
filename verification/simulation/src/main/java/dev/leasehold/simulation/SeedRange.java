package dev.leasehold.simulation;

/** Ranges of seeds of their own. All other seeds have one server, whose replicas nobody waits for. */
enum SeedRange {
    /** One server with one replica, for which most acquisitions wait. */
    REPLICATED(20_000_001),
    /** Three or five independent servers, of which a majority decides. */
    QUORUM(30_000_001),
    /** One server, in some seeds with a replica. Each feature is drawn independently of the others. */
    MIXED(40_000_001);

    private static final long SIZE = 9_999_999;

    private final long first;

    SeedRange(long first) {
        this.first = first;
    }

    long first() {
        return first;
    }

    boolean has(long seed) {
        return seed >= first && seed < first + SIZE;
    }
}
