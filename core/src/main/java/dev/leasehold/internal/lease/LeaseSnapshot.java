package dev.leasehold.internal.lease;

/**
 * The state and the deadline of a lease, which are always read together. {@code end} and {@code validUntil} are in ns on the
 * monotonic clock.
 *
 * @param end the end of the hold in Redis
 * @param validUntil the deadline, at {@code surplusAtConfirm}
 * @param surplusAtConfirm the surplus of the wall clock when the hold was last confirmed
 * @param renewals the number of renewals
 */
record LeaseSnapshot(LeaseState state, long end, long validUntil, long surplusAtConfirm, int renewals) {

    /** The snapshot of a lease whose request was not sent yet. */
    static final LeaseSnapshot ACQUIRING = new LeaseSnapshot(LeaseState.ACQUIRING, 0, 0, 0, 0);

    LeaseSnapshot withState(LeaseState next) {
        return new LeaseSnapshot(next, end, validUntil, surplusAtConfirm, renewals);
    }

    /** Returns the deadline, shortened by the growth of the surplus since the last confirmation. */
    long validUntil(long surplus) {
        return validUntil - disagreement(surplus);
    }

    /** Returns the end of the hold, shortened in the same way. */
    long end(long surplus) {
        return end - disagreement(surplus);
    }

    /** Returns the growth of the surplus since the last confirmation. */
    long disagreement(long surplus) {
        return surplus - surplusAtConfirm;
    }

    /** Returns the moment of the loss without a confirmation; a suspect lease has until {@code grace} to be confirmed. */
    long lossAt(long surplus, long grace) {
        long deadline = validUntil(surplus);
        if (state != LeaseState.SUSPECT) {
            return deadline;
        }
        long graced = deadline - grace > 0 ? deadline : grace;
        return validUntil - graced < 0 ? validUntil : graced;
    }

    /**
     * Returns the snapshot after Redis confirmed that the hold lasts for a span from the moment the request was sent. No script
     * lowers an end, so an earlier confirmation stays true: the later deadline of the two counts.
     */
    LeaseSnapshot confirmed(long sentAt, long span, long surplusAtSend, int moreRenewals) {
        int count = renewals + moreRenewals;
        long newEnd = sentAt + span;
        long newValidUntil = newEnd - Validity.drift(span);
        boolean first = state == LeaseState.ACQUIRING;
        long earlier = validUntil(surplusAtSend);
        if (!first && earlier - newValidUntil > 0) {
            return new LeaseSnapshot(LeaseState.HELD, end(surplusAtSend), earlier, surplusAtSend, count);
        }
        return new LeaseSnapshot(LeaseState.HELD, newEnd, newValidUntil, surplusAtSend, count);
    }
}
