package dev.leasehold.recipes;

/**
 * A listener for the terms of one candidate. The client calls both methods on its event executor, never under a lock,
 * and one after the other: each exactly once per term, {@code onDemoted} before the next {@code onElected}. Both should
 * return soon: start and stop the leader's work there, and run it elsewhere. {@code onDemoted} is not called until
 * {@code onElected} has returned; meanwhile, check {@link Term#isHeld()}.
 */
public interface LeaderListener {

    /**
     * Called when the candidate has become the leader. If this method throws, the client logs the exception and ends
     * the term with {@link DemotionReason#FAILED}: another candidate may be able to lead. The candidate stands again
     * after about a second.
     *
     * @param term the term that has begun
     */
    void onElected(Term term);

    /**
     * Called when the candidate no longer leads: stop the leader's work. When the candidate gives up the term, the lock
     * is released after this method has returned, so that the next leader does not overlap; if it does not return, one
     * lease time later. The client logs an exception that it throws.
     *
     * @param term the term that has ended; one that the candidate gives up is {@linkplain Term#isHeld() held} until this
     *     method has returned
     * @param reason why it has ended
     */
    void onDemoted(Term term, DemotionReason reason);
}
