package dev.leasehold;

/** Why a term of a leader has ended. */
public enum DemotionReason {
    /** Its lease was lost: not renewed in time, taken away, or deleted. Another may lead already. The candidate stands again. */
    LOST,
    /** It was {@linkplain Candidacy#resign() given up}. The candidate stands again. */
    RESIGNED,
    /** {@link LeaderListener#onElected} threw. The candidate stands again after a pause. */
    FAILED,
    /** The candidacy or its client was closed. */
    CLOSED
}
