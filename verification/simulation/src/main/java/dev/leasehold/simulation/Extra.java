package dev.leasehold.simulation;

/**
 * An action of a client of a plan besides the acquisitions of its workers.
 *
 * @param at its start, in true time
 * @param name the latch or the election; for a request of or about a lock, its number
 * @param id the id of a count-down that its caller names; empty if the library creates one
 * @param amount a count, a number of permits, or the time after which a candidate leaves
 * @param span the wait time, or the lifetime of the created object; a wait below 0 has no limit
 * @param cancelAfter the time after which its caller gives up; below 0 never
 */
record Extra(Kind kind, long at, int client, String name, String id, long amount, long span, long cancelAfter) {

    /** The kind of action. */
    enum Kind {
        /** Sets a latch to a count, for a time. */
        LATCH_SET,
        LATCH_COUNT,
        LATCH_AWAIT,
        LATCH_READ,
        /** Becomes a candidate, with leases of a length, until it leaves. */
        STAND_FOR_ELECTION,
        /** Resigns, if it leads. */
        RESIGN,
        /** Requests the release of a lock. */
        REQUEST,
        /** Takes a lock away from its holders. */
        FORCE_RELEASE,
        /** Changes the number of permits of a semaphore. */
        CHANGE_PERMITS
    }

    Extra cancelledAfter(long nanos) {
        return new Extra(kind, at, client, name, id, amount, span, nanos);
    }

    @Override
    public String toString() {
        return String.format(
                "%.3f s client %d %s %s %s amount %d span %d cancelled after %d",
                at / 1e9, client, kind, name, id, amount, span, cancelAfter);
    }
}
