package dev.leasehold;

/**
 * Hears of the terms of one candidate. Both methods are called on the client's event executor, never under a lock, and one
 * after the other: each exactly once for a term, {@code onDemoted} before the next {@code onElected}. So they return soon:
 * start and stop the leader's work there, and do it elsewhere. Until {@code onElected} has returned, {@code onDemoted} is
 * not called, but {@link Term#isHeld()} tells.
 */
public interface LeaderListener {

    /**
     * The candidate leads. If this throws, the exception is logged, and the term is given up with
     * {@link DemotionReason#FAILED}: others may be able to lead. The candidate stands again after about a second.
     *
     * @param term what it leads by
     */
    void onElected(Term term);

    /**
     * The candidate does not lead any more: stop the leader's work. When the term is given up, the lock is released after this
     * has returned, so that the next leader does not overlap, or one lease time later if it does not return. What it
     * throws is logged.
     *
     * @param term the term that has ended
     * @param reason why
     */
    void onDemoted(Term term, DemotionReason reason);
}
