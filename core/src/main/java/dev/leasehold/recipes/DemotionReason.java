package dev.leasehold.recipes;

/** The reason why a leader's term has ended. */
public enum DemotionReason {
    /**
     * The lease was lost: not renewed in time, taken away, or deleted. Another candidate may lead already. The
     * candidate stands again.
     */
    LOST,
    /** The candidate {@linkplain Candidacy#resign() resigned}. The candidate stands again. */
    RESIGNED,
    /** {@link LeaderListener#onElected} threw. The candidate stands again after a pause. */
    FAILED,
    /** The candidacy or its client was closed. */
    CLOSED
}
