package dev.leasehold.internal.renew;

import dev.leasehold.Durability;
import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.RenewHold;

/** One renewal of one lease, or the confirmation of a suspect lease. After a failure, the watchdog plans the next try. */
final class RenewalRequest extends HoldRequest {

    /** The least lease time for which a delay by one tick of the timer is negligible. */
    private static final long TOLERANT_LEASE_NANOS = 1_000_000_000;

    private final LeaseTermination termination;
    private final RenewalJudge judge;
    private final Watchdog watchdog;
    private final int number;
    private boolean prolongs;
    private long requestedNanos;
    private long surplusAtSend;

    /**
     * Not sent yet.
     *
     * @param number that of the renewal in the plan of its lease
     */
    RenewalRequest(
            RequestContext context,
            LeaseTermination termination,
            RenewalJudge judge,
            Watchdog watchdog,
            LeaseRecord record,
            int number) {
        super(context, record);
        this.termination = termination;
        this.judge = judge;
        this.watchdog = watchdog;
        this.number = number;
    }

    @Override
    boolean toleratesDelay() {
        return record.leaseNanos() >= TOLERANT_LEASE_NANOS && record.state() == LeaseState.HELD;
    }

    @Override
    Durability durability() {
        return record.options().durability();
    }

    @Override
    boolean ready(long now, long surplus) {
        surplusAtSend = surplus;
        if (!record.holding()) {
            done();
            return false;
        }
        if (now - record.lossAt(surplusAtSend, context.commandNanos()) >= 0) {
            // A process that was paused finds its own deadline passed before it sends anything.
            done();
            termination.expire(record);
            return false;
        }
        long left = record.end() - now;
        prolongs = !isEarly(now) && left <= record.leaseNanos();
        // If a failover has lost an extension, repeating it restores it.
        requestedNanos = !record.renews() ? 0 : prolongs ? record.leaseNanos() : left;
        return true;
    }

    /** Returns whether the lease was extended, so that its end is still far; that of a suspect lease is uncertain. */
    private boolean isEarly(long now) {
        double ratio = record.renewal().ratio();
        return record.state() != LeaseState.SUSPECT
                && RenewalSchedule.early(now, record.end(), record.leaseNanos(), ratio);
    }

    @Override
    LeaseSpan spanInBatch() {
        return new LeaseSpan(record.leaseNanos());
    }

    @Override
    LeaseSpan span() {
        return requestedNanos == 0 ? LeaseSpan.CONFIRM : new LeaseSpan(requestedNanos);
    }

    private void done() {
        // If this answer is late, another request may be in flight by now: the plan ends this one only.
        record.plan().end(number);
    }

    @Override
    public void answered(long sentAt, RenewHold.Answer answer) {
        done();
        judge.apply(record, answer, new RenewalJudge.Sent(sentAt, requestedNanos, surplusAtSend, prolongs));
    }

    @Override
    public void failed(Throwable failure) {
        done();
        record.apply(LeaseEvent.UNANSWERED);
        if (record.holding()) {
            // Nobody needs to hear of a lease that was released or lost meanwhile.
            judge.failed(record, failure);
        }
        watchdog.unanswered(record);
    }
}
