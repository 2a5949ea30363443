package dev.leasehold.internal.renew;

import dev.leasehold.Durability;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.RenewHolds;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One renewal of one lease, or the confirmation of a suspect lease. After a failure, the watchdog plans the next try. */
final class RenewalRequest implements BatchSender.Request<RenewHold.Answer> {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");

    /** The least lease time for which a delay by one tick of the timer is negligible. */
    private static final long TOLERANT_LEASE_NANOS = 1_000_000_000;

    private final RequestContext context;
    private final LeaseTermination termination;
    private final RenewalJudge judge;
    private final Watchdog watchdog;
    private final LeaseRecord record;
    private final int number;
    private long requestedNanos;
    private long surplusAtSend;
    private boolean unansweredBefore;

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
        this.context = context;
        this.termination = termination;
        this.judge = judge;
        this.watchdog = watchdog;
        this.record = record;
        this.number = number;
    }

    /** Returns whether the renewal may wait for the few ms of one tick of the timer. */
    boolean toleratesDelay() {
        return record.leaseNanos() >= TOLERANT_LEASE_NANOS && record.state() == LeaseState.HELD;
    }

    int slot() {
        return record.key().slot();
    }

    LockKind kind() {
        return record.key().kind();
    }

    /** The replicas or disks that must acknowledge the renewal. */
    Durability durability() {
        return record.options().durability();
    }

    boolean ofNamedOwner() {
        return record.ofNamedOwner();
    }

    long timeoutNanos() {
        return RenewalSchedule.timeout(record.leaseNanos(), context.commandNanos())
                + durability().within().toNanos();
    }

    /** Returns the request for this renewal alone, after Redis refused one for many, or for another span than theirs. */
    @Override
    public @Nullable RenewHold prepare(long now) {
        return ready(now, context.surplus())
                ? new RenewHold(record.key(), record.hold(), span(), timeoutNanos())
                : null;
    }

    /** Returns whether the renewal is still to be sent; called immediately before the request is sent. */
    boolean ready(long now, long surplus) {
        surplusAtSend = surplus;
        unansweredBefore = record.state() == LeaseState.UNCONFIRMED;
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
        requestedNanos = record.renews() ? record.leaseNanos() : 0;
        return true;
    }

    RenewHolds.Entry entry() {
        return new RenewHolds.Entry(record.key(), record.hold());
    }

    /** The span of a renewal in a batch; sent alone, the request may be a confirmation instead. */
    long leaseNanos() {
        return record.leaseNanos();
    }

    /** The requested span; known after {@link #ready}. */
    LeaseSpan span() {
        return requestedNanos == 0 ? LeaseSpan.CONFIRM : new LeaseSpan(requestedNanos);
    }

    private void done() {
        // If this answer is late, another request may be in flight by now: the plan ends this one only.
        record.plan().end(number);
    }

    @Override
    public void answeredLate(long sentAt, RenewHold.Answer answer) {
        // A late answer is still true: validity counts from the moment of sending.
        answered(sentAt, answer);
    }

    @Override
    public boolean previousUnanswered() {
        return unansweredBefore;
    }

    @Override
    public void answered(long sentAt, RenewHold.Answer answer) {
        context.seen(answer.now(), sentAt);
        apply(sentAt, answer);
    }

    /** Applies the answer for this lease to the request that was sent at {@code sentAt}. */
    void apply(long sentAt, RenewHold.Answer answer) {
        done();
        judge.apply(record, answer, new RenewalJudge.Sent(sentAt, requestedNanos, surplusAtSend, true));
    }

    @Override
    public void failed(Throwable failure) {
        done();
        record.apply(LeaseEvent.UNANSWERED);
        LOG.debug(
                "a renewal of lock {} was not confirmed and is tried again: {}",
                record.key(),
                RequestFailures.reason(failure));
        watchdog.unanswered(record);
    }
}
