package dev.leasehold.internal.quorum;

/**
 * The servers that keep a hold, as bit masks. A server counts if its grant arrived before the lock was held. It also
 * counts if its grant arrived later and it extended the hold in a later round, which succeeded without it. Once a
 * server has reported that the hold is missing, it never counts again (docs/verification/models.md: renewal over
 * a quorum). Immutable.
 *
 * @param confirmed the servers that count
 * @param late the servers that granted too late to count
 * @param dropped the servers that reported the hold as missing
 */
record ServerSet(long confirmed, long late, long dropped) {

    static final ServerSet NONE = new ServerSet(0, 0, 0);

    static long bit(int node) {
        return 1L << node;
    }

    static int count(long nodes) {
        return Long.bitCount(nodes);
    }

    /** Records the servers by which the lock is held. */
    ServerSet grantedBy(long nodes) {
        return new ServerSet(nodes & ~dropped, late & ~nodes, dropped);
    }

    /** Records a grant that arrived after the lock was held. */
    ServerSet grantedLate(int node) {
        long bit = bit(node);
        return ((confirmed | dropped) & bit) != 0 ? this : new ServerSet(confirmed, late | bit, dropped);
    }

    /** Records that a server reported the hold as missing. */
    ServerSet without(int node) {
        long bit = bit(node);
        return new ServerSet(confirmed & ~bit, late & ~bit, dropped | bit);
    }

    /**
     * Records a successful round in which these servers extended; those whose late grant arrived before it began count
     * from now on.
     */
    ServerSet afterRound(long extended, long lateAtBegin) {
        long grown = extended & lateAtBegin & late & ~dropped;
        return new ServerSet(confirmed | grown, late & ~grown, dropped);
    }
}
