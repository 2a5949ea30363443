package dev.leasehold.internal.lease;

/** An event in the life of a lease. */
public enum LeaseEvent {
    /** Redis granted the acquire. */
    GRANTED,
    /** The caller gave up after every request was answered: nothing is held. */
    GAVE_UP,
    /** The caller gave up while a request was unanswered. */
    OUTCOME_UNKNOWN,
    /** A compensating release is final. */
    COMPENSATED,
    /** Redis confirmed the hold. */
    CONFIRMED,
    /** A renewal got no answer, or an error. */
    UNANSWERED,
    /** The wall clock ran ahead of the monotonic one. */
    CLOCK_JUMPED,
    /** Redis answered that the hold does not exist. */
    DISOWNED,
    /** The deadline passed without a confirmation. */
    DEADLINE_PASSED,
    /** The holder released the lease. */
    RELEASE_CALLED,
    /** Redis confirmed the release. */
    RELEASE_CONFIRMED,
    /** Redis answered the release: the hold had ended before. */
    RELEASE_DENIED
}
