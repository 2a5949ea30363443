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
record Members(long confirmed, long late, long dropped) {

    static final Members NONE = new Members(0, 0, 0);

    static long bit(int node) {
        return 1L << node;
    }

    static int count(long nodes) {
        return Long.bitCount(nodes);
    }

    /** The lock is held by these. */
    Members grantedBy(long nodes) {
        return new Members(nodes & ~dropped, late & ~nodes, dropped);
    }

    /** Its grant was heard after the lock was held. */
    Members heardLate(int node) {
        long bit = bit(node);
        return ((confirmed | dropped) & bit) != 0 ? this : new Members(confirmed, late | bit, dropped);
    }

    /** It said that the hold is not there. */
    Members without(int node) {
        long bit = bit(node);
        return new Members(confirmed & ~bit, late & ~bit, dropped | bit);
    }

    /** A round succeeded in which these extended, of whom some were heard late before it began. */
    Members afterRound(long extended, long lateAtBegin) {
        long grown = extended & lateAtBegin & late & ~dropped;
        return new Members(confirmed | grown, late & ~grown, dropped);
    }
}
