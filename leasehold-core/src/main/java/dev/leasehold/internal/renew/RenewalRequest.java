package dev.leasehold.internal.renew;

import dev.leasehold.Durability;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.LockMessages;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.script.LeaseSpan;
import dev.leasehold.internal.script.RenewManyScript;
import dev.leasehold.internal.script.RenewScript;
import dev.leasehold.spi.ScriptCall;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One renewal of one lease, or the mere confirmation of one that is suspect. Tried again by the watchdog. */
final class RenewalRequest implements BatchSender.Request {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");

    private static final long UNHURRIED_NANOS = 1_000_000_000;

    private final RequestContext context;
    private final LeaseTermination termination;
    private final RenewalJudge judge;
    private final Watchdog watchdog;
    private final LeaseRecord record;
    private long asked;
    private long surplusAtSend;
    private boolean unansweredBefore;

    RenewalRequest(
            RequestContext context,
            LeaseTermination termination,
            RenewalJudge judge,
            Watchdog watchdog,
            LeaseRecord record) {
        this.context = context;
        this.termination = termination;
        this.judge = judge;
        this.watchdog = watchdog;
        this.record = record;
    }

    /** Whether the few ms of a tick do not matter to it. */
    boolean mayWait() {
        return record.leaseNanos() >= UNHURRIED_NANOS && record.state() == LeaseState.HELD;
    }

    int slot() {
        return record.key().slot();
    }

    LockKind kind() {
        return record.key().kind();
    }

    /** How many replicas must have its answer. */
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

    /** Alone, because a call over many was refused. */
    @Override
    public @Nullable ScriptCall prepare(long now) {
        return ready(now, context.surplus()) ? call() : null;
    }

    /** Whether there is still something to send; the last moment to decide that. */
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
        asked = record.renews() ? record.leaseNanos() : 0;
        return true;
    }

    ScriptCall call() {
        return context.scripts().of(kind()).renew(record.key(), record.hold(), span(), timeoutNanos());
    }

    RenewManyScript.Entry entry() {
        return new RenewManyScript.Entry(record.key(), record.hold());
    }

    /** What it would be renewed for with others; alone it may merely be confirmed. */
    long leaseNanos() {
        return record.leaseNanos();
    }

    /** What is asked for; known when it is ready. */
    LeaseSpan span() {
        return asked == 0 ? LeaseSpan.CONFIRM : new LeaseSpan(asked);
    }

    private void done() {
        // Another request may be on its way by now, if this one's answer is late.
        record.ends(this);
    }

    @Override
    public void answeredLate(long sentAt, List<String> reply) {
        // What Redis said is true however late it comes; the moment it was asked is what counts.
        answered(sentAt, reply);
    }

    @Override
    public boolean secondInARow() {
        return unansweredBefore;
    }

    @Override
    public void answered(long sentAt, List<String> reply) {
        done();
        RenewScript.Answer answer = RenewScript.parse(reply);
        context.seen(answer.now(), sentAt);
        judged(sentAt, answer);
    }

    /** Redis said so of this very lease, to the request that was sent at {@code sentAt}. */
    void judged(long sentAt, RenewScript.Answer answer) {
        done();
        judge.apply(record, answer, new RenewalJudge.Asked(sentAt, asked, surplusAtSend, true));
    }

    @Override
    public void failed(Throwable failure) {
        done();
        record.apply(LeaseEvent.UNANSWERED);
        LOG.debug(
                "a renewal of lock {} was not confirmed and is tried again: {}",
                record.key(),
                LockMessages.reason(failure));
        watchdog.unanswered(record);
    }
}
