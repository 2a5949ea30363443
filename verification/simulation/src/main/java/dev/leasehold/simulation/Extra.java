package dev.leasehold.simulation;

/**
 * Something that a client of a plan does besides the acquisitions of its workers.
 *
 * @param at when it begins, in true time
 * @param name the latch or the election; for a request, the number of the lock
 * @param id of a count-down that its caller names; empty if the library is to make one
 * @param amount a count, or how long it lasts until its caller gives up or leaves; below 0 if it does not
 * @param span how long it waits, or how long what it makes is there; a wait below 0 has no limit
 */
record Extra(Kind kind, long at, int client, String name, String id, long amount, long span) {

    /** What is done. */
    enum Kind {
        /** Sets a latch to a count, for a time. */
        LATCH_SET,
        LATCH_COUNT,
        LATCH_AWAIT,
        LATCH_READ,
        /** Stands for election, with leases of a length, until it leaves. */
        STAND,
        /** Resigns, if it leads. */
        RESIGN,
        /** Asks whoever holds a lock to release it. */
        REQUEST
    }

    @Override
    public String toString() {
        return String.format(
                "%.3f s client %d %s %s %s amount %d span %d", at / 1e9, client, kind, name, id, amount, span);
    }
}
