package dev.leasehold.internal.renew;

import dev.leasehold.Durability;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.RenewHold;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks whether Redis still has the hold of a lease, and prolongs nothing: neither the plan of the lease nor its deadline change,
 * unless the hold is gone. A check that gets no answer is not repeated: a new connection checks all, and each renewal is a check.
 */
final class HoldCheck extends HoldRequest {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");

    private final RenewalJudge judge;
    private final boolean first;

    /**
     * Not sent yet.
     *
     * @param first whether it only makes Redis track the key: nobody waits for its answer
     */
    HoldCheck(RequestContext context, RenewalJudge judge, LeaseRecord record, boolean first) {
        super(context, record);
        this.judge = judge;
        this.first = first;
    }

    @Override
    boolean toleratesDelay() {
        return first;
    }

    @Override
    Durability durability() {
        return Durability.none();
    }

    @Override
    LeaseSpan spanInBatch() {
        return LeaseSpan.CONFIRM;
    }

    @Override
    boolean ready(long now, long surplus) {
        return record.holding();
    }

    @Override
    LeaseSpan span() {
        return LeaseSpan.CONFIRM;
    }

    @Override
    public void answered(long sentAt, RenewHold.Answer answer) {
        judge.checked(record, answer);
    }

    @Override
    public void failed(Throwable failure) {
        LOG.debug("the hold of lock {} was not checked: {}", record.key(), RequestFailures.reason(failure));
    }
}
