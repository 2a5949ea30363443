package dev.leasehold.internal.quorum;

/**
 * The servers that keep a hold, as bits. A server counts if its grant was heard before the lock was; or if it was heard
 * later, and the server extended the hold in a later round that succeeded without it. Once it has said that the hold is not
 * there it never counts again (docs/verification.md: the models of renewal over a quorum). Immutable.
 *
 * @param confirmed those that count
 * @param late those that granted too late to count
 * @param dropped those that said that the hold is not there
 */
record ServerSet(long confirmed, long late, long dropped) {

    static final ServerSet NONE = new ServerSet(0, 0, 0);

    static long bit(int node) {
        return 1L << node;
    }

    static int count(long nodes) {
        return Long.bitCount(nodes);
    }

    /** The lock is held by these. */
    ServerSet grantedBy(long nodes) {
        return new ServerSet(nodes & ~dropped, late & ~nodes, dropped);
    }

    /** Its grant was heard after the lock was held. */
    ServerSet heardLate(int node) {
        long bit = bit(node);
        return ((confirmed | dropped) & bit) != 0 ? this : new ServerSet(confirmed, late | bit, dropped);
    }

    /** It said that the hold is not there. */
    ServerSet without(int node) {
        long bit = bit(node);
        return new ServerSet(confirmed & ~bit, late & ~bit, dropped | bit);
    }

    /** A round succeeded in which these extended, of whom some were heard late before it began. */
    ServerSet afterRound(long extended, long lateAtBegin) {
        long grown = extended & lateAtBegin & late & ~dropped;
        return new ServerSet(confirmed | grown, late & ~grown, dropped);
    }
}
