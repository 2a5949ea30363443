package dev.leasehold.internal.lease;

import static dev.leasehold.internal.lease.LeaseState.ACQUIRING;
import static dev.leasehold.internal.lease.LeaseState.HELD;
import static dev.leasehold.internal.lease.LeaseState.LOST;
import static dev.leasehold.internal.lease.LeaseState.RELEASED;
import static dev.leasehold.internal.lease.LeaseState.RELEASING;
import static dev.leasehold.internal.lease.LeaseState.SUSPECT;
import static dev.leasehold.internal.lease.LeaseState.UNCONFIRMED;
import static dev.leasehold.internal.lease.LeaseState.UNKNOWN;

/**
 * The transition table of a lease. Late answers are edges without effect. An edge that is not in the table is a bug of the
 * engine and throws.
 */
final class Transitions {

    private Transitions() {}

    static LeaseState next(LeaseState state, LeaseEvent event) {
        return switch (state) {
            case ACQUIRING -> fromAcquiring(event);
            case UNKNOWN -> fromUnknown(event);
            case HELD, UNCONFIRMED, SUSPECT -> fromHolding(state, event);
            case RELEASING -> fromReleasing(event);
            case RELEASED, LOST -> fromEnded(state, event);
        };
    }

    private static LeaseState fromAcquiring(LeaseEvent event) {
        return switch (event) {
            case GRANTED -> HELD;
            case GAVE_UP -> RELEASED;
            case OUTCOME_UNKNOWN -> UNKNOWN;
            case COMPENSATED,
                    CONFIRMED,
                    UNANSWERED,
                    CLOCK_JUMPED,
                    DISOWNED,
                    DEADLINE_PASSED,
                    RELEASE_CALLED,
                    RELEASE_CONFIRMED,
                    RELEASE_DENIED -> illegal(ACQUIRING, event);
        };
    }

    private static LeaseState fromUnknown(LeaseEvent event) {
        return switch (event) {
            case COMPENSATED -> RELEASED;
            // A late grant is not an event: its release is in flight, and repeated until it is final.
            case GRANTED,
                    OUTCOME_UNKNOWN,
                    GAVE_UP,
                    CONFIRMED,
                    UNANSWERED,
                    CLOCK_JUMPED,
                    DISOWNED,
                    DEADLINE_PASSED,
                    RELEASE_CALLED,
                    RELEASE_CONFIRMED,
                    RELEASE_DENIED -> illegal(UNKNOWN, event);
        };
    }

    private static LeaseState fromHolding(LeaseState state, LeaseEvent event) {
        return switch (event) {
            case CONFIRMED -> HELD;
            // A missing answer neither ends a suspicion nor replaces it.
            case UNANSWERED -> state == SUSPECT ? SUSPECT : UNCONFIRMED;
            case CLOCK_JUMPED -> SUSPECT;
            case DISOWNED, DEADLINE_PASSED -> LOST;
            case RELEASE_CALLED -> RELEASING;
            case GRANTED, GAVE_UP, OUTCOME_UNKNOWN, COMPENSATED, RELEASE_CONFIRMED, RELEASE_DENIED ->
                illegal(state, event);
        };
    }

    private static LeaseState fromReleasing(LeaseEvent event) {
        return switch (event) {
            case RELEASE_CONFIRMED -> RELEASED;
            case RELEASE_DENIED -> LOST;
            case CONFIRMED, UNANSWERED, CLOCK_JUMPED, DISOWNED, DEADLINE_PASSED, RELEASE_CALLED -> RELEASING;
            case GRANTED, GAVE_UP, OUTCOME_UNKNOWN, COMPENSATED -> illegal(RELEASING, event);
        };
    }

    private static LeaseState fromEnded(LeaseState state, LeaseEvent event) {
        return switch (event) {
            case CONFIRMED, UNANSWERED, CLOCK_JUMPED, DISOWNED, DEADLINE_PASSED, RELEASE_CALLED -> state;
            case GRANTED, GAVE_UP, OUTCOME_UNKNOWN, COMPENSATED, RELEASE_CONFIRMED, RELEASE_DENIED ->
                illegal(state, event);
        };
    }

    private static LeaseState illegal(LeaseState state, LeaseEvent event) {
        throw new IllegalStateException("event " + event + " is illegal for a lease in state " + state
                + ": this is a bug in Leasehold, please report it");
    }
}
