package dev.leasehold.internal.acquire;

import dev.leasehold.LockOptions;
import dev.leasehold.event.WaitOutcome;
import dev.leasehold.internal.dispatch.TraceDispatcher;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LocalGrant;
import dev.leasehold.internal.request.Lifecycle;
import dev.leasehold.internal.request.Operation;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.Step;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.time.WaitLimit;
import dev.leasehold.internal.wait.QueueEntry;
import dev.leasehold.internal.wait.WaitSchedule;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition, from the call to its end.
 *
 * <p>Three outcomes are never merged: acquired, busy, unavailable.
 */
public final class Acquisition implements Operation<Acquisition.Outcome> {

    /** Acquired, busy, or failed; none of these if it was abandoned. */
    public record Outcome(
            @Nullable LeaseRecord acquired, @Nullable RuntimeException failure, boolean busy) {}

    private final AcquireServices services;
    private final RequestContext context;
    private final AcquireRequest request;
    private final LockKey key;
    private final RequestedHold hold;
    private final QueueEntry entry;
    private final HoldRequests requests;
    private final AcquireTiming timing;
    private final AcquireFailures failures;
    private final AcquireReport report;
    private @Nullable String label;
    private int tries;
    private int staleAnswers;
    private @Nullable Outcome done;

    Acquisition(AcquireServices services, AcquireRequest request) {
        this.services = services;
        this.context = services.context();
        this.request = request;
        this.key = request.key();
        LockOptions options = request.options();
        TraceDispatcher trace = request.trace();
        long now = context.now();
        this.label = options.label() == null && trace != null ? trace.label() : options.label();
        WaitSchedule schedule = new WaitSchedule(
                options.waitStrategy(),
                request.limit(),
                now,
                context,
                options.durability().within().toNanos());
        this.hold = new RequestedHold(context, services.leases(), services.termination(), request);
        this.entry = join(schedule.wakeUps());
        this.requests = new HoldRequests(services, request, entry);
        this.timing = new AcquireTiming(request, schedule, entry, now);
        this.failures = new AcquireFailures(context, entry, request.limit(), now);
        this.report = new AcquireReport(context, services.events(), request, now);
    }

    private QueueEntry join(boolean wakeUps) {
        boolean waits = wakeUps && request.limit().kind() != WaitLimit.Kind.ONCE;
        return services.join(request, waits);
    }

    @Override
    public void wakeBy(Runnable wake) {
        entry.wakeBy(wake);
    }

    @Override
    public Step next() {
        if (done != null || acquiresLocally()) {
            return Step.OVER;
        }
        long now = context.now();
        boolean local = entry.waitsLocally();
        // Also if it has become the first because the one before it left: Redis has been silent for as long.
        boolean unanswered = (local || !failures.inOutage()) && failures.firstGetsNoAnswer(now, timing.deadline());
        if (!unanswered && !context.closed() && timing.planPause(now, local, tries > 0, failures.inOutage())) {
            return pause(now, local);
        }
        if (handed(entry.endHandOff(hold.record()), true)) {
            return Step.OVER;
        }
        if (context.closed()) {
            return fail(Lifecycle.closedException());
        }
        return unanswered || late(now, local) ? giveUp() : send(now);
    }

    /** Returns whether the lock may be handed to it: a second hold in Redis must be impossible. */
    private boolean takesHandOff() {
        return request.owner() == null && hold.answered();
    }

    /** Returns whether it has the lock from a lease of this process, or under a hold of its readers. */
    private boolean acquiresLocally() {
        return takesHandOff() && (handed(entry.takeHandOff(hold.record()), true) || joinsReaders());
    }

    private boolean joinsReaders() {
        LeaseRecord record = hold.record();
        LocalGrant grant = key.kind() == LockKind.READ && !record.durable()
                ? services.waiters().joinReaders(record, entry.takeInvitation())
                : null;
        if (grant == null) {
            return false;
        }
        entry.leave(null);
        return handed(grant, false);
    }

    /** Ends with a lease if there is a grant of another lease of this process. */
    private boolean handed(@Nullable LocalGrant grant, boolean handedOff) {
        if (grant == null) {
            return false;
        }
        hold.record().handed(grant);
        acquired(handedOff);
        return true;
    }

    private Step pause(long now, boolean local) {
        if (local) {
            report.waits(now, 0);
        }
        if (takesHandOff()) {
            entry.awaitHandOff(hold.record());
        }
        return new Step.Pause(timing.pauseUntil());
    }

    private boolean late(long now, boolean local) {
        return (tries + failures.count() > 0 || local) && timing.deadlinePassed(now);
    }

    private Step send(long now) {
        LockOptions options = request.options();
        LeaseRecord record = hold.record();
        // An answer after the end of the lease is of no use.
        long timeout = timing.timeout(now, Math.min(requestNanos(), record.leaseNanos()));
        ServerTime notAfter = hold.sending(now, timeout);
        return new Step.Send<>(
                requests.next(record, label, notAfter, timing.anotherTryFits(now), now, timeout),
                now,
                options.durability(),
                this::answered,
                this::answeredLate);
    }

    /** The longest time for which one request may wait for its answer. */
    private long requestNanos() {
        return context.commandNanos() + request.options().durability().within().toNanos();
    }

    /** It is tried together with others. */
    void combined() {
        requests.combined();
    }

    /** Handles the answer to the last request. */
    void answered(AcquireHold.Answer answer) {
        hold.ended();
        if (answer.code() != AcquireHold.Code.GRANTED) {
            hold.notGranted();
        }
        switch (answer.code()) {
            case GRANTED -> granted(answer);
            case BUSY -> busy(answer);
            // Goes on at once, with the request that is decided.
            case UNDECIDED -> requests.metOthers(context.now());
            case STALE -> stale();
            case ENDED -> startAgain();
            case CLOCK, EXHAUSTED, PERMITS, FOREIGN -> fail(refusals().of(answer));
        }
    }

    /** Made when it is needed, which is rare. */
    private AcquireRefusals refusals() {
        return new AcquireRefusals(key, services.floors(), hold);
    }

    /** Another lock of the same call was not granted, and this one was left out. */
    void untried() {
        hold.ended();
        hold.notGranted();
    }

    /** Sets the text beside the holder, unless the options have one. */
    void labelled(@Nullable String text) {
        label = label == null ? text : label;
    }

    /** The time of the next try. */
    long dueAt() {
        return timing.pauseUntil();
    }

    boolean over() {
        return done != null;
    }

    private void granted(AcquireHold.Answer answer) {
        tries++;
        long now = context.now();
        LeaseRecord record = hold.record();
        boolean inTime = hold.granted(answer, now);
        // Before anything that may throw: abandoning it then gives back a grant.
        if (inTime) {
            done = new Outcome(record, null, false);
        } else {
            hold.mayBeGranted();
        }
        if (key.kind().hasTokens()) {
            services.floors().seen(key, answer.lastToken(), record.leaseNanos(), now);
        }
        if (!inTime) {
            failures.last(AcquireMessages.tooLate(key));
            startAgain();
            return;
        }
        if (key.kind() == LockKind.READ) {
            services.readers().open(record, hold.sentAt());
        }
        if (entry.outage() != null) {
            // Redis answers: those behind it must not take earlier failures for an outage that goes on.
            failures.over();
        }
        entry.granted(record);
        services.watchdog().confirmed(record);
        acquired(false);
    }

    /** It has a lease, which is given back if the client was closed meanwhile, for the closing may have missed it. */
    private void acquired(boolean handedOff) {
        LeaseRecord record = hold.record();
        if (request.candidate()) {
            record.lead();
        }
        if (done == null) {
            done = new Outcome(record, null, false);
        }
        if (context.closed()) {
            abandon(null);
            done = new Outcome(null, Lifecycle.closedException(), false);
            report.notAcquired(WaitOutcome.FAILED, tries, done.failure);
        } else {
            report.acquired(record, tries, handedOff);
        }
    }

    private void busy(AcquireHold.Answer answer) {
        requests.metOthers(context.now());
        if (requests.lacksPosition()) {
            // Goes on at once, to take a position in the queue.
            return;
        }
        tries++;
        entry.positioned(answer.position(), answer.rank());
        entry.polls(answer.polls());
        failures.over();
        if (request.limit().kind() == WaitLimit.Kind.ONCE || timing.exhausted(tries)) {
            giveUp();
            return;
        }
        long now = context.now();
        report.waits(now, answer.leftNanos());
        timing.busy(now, answer);
    }

    /** The clock of Redis stepped, or the request was late. The answer brought the true time: tries again at once. */
    private void stale() {
        staleAnswers++;
        if (staleAnswers > 2) {
            failed(new TransportException("requests arrive later than they may", false, null));
        }
    }

    /** The hold of this id is over: goes on under a new one. */
    private void startAgain() {
        hold.startAgain();
        retryOrGiveUp();
    }

    @Override
    public void failed(RuntimeException failure) {
        hold.ended();
        failures.last(failure);
        if (context.maybeExecuted(failure)) {
            hold.mayBeGranted();
        }
        RuntimeException last = refusals().ofFinal(failure);
        if (last != null) {
            fail(last);
        } else {
            retryOrGiveUp();
        }
    }

    private void retryOrGiveUp() {
        long now = context.now();
        failures.count(hold.sentAt(), requestNanos());
        if (failures.outlastTolerance(now)) {
            giveUp();
            entry.pollOthers();
        } else {
            timing.failed(now, failures.count());
        }
    }

    @Override
    public Outcome outcome() {
        return Objects.requireNonNull(done);
    }

    @Override
    public boolean endsWithClient() {
        return true;
    }

    /** Whatever was granted is being given back already; here the answer brings a position that no waiter knows. */
    private void answeredLate(AcquireHold.Answer answer) {
        if (answer.code() == AcquireHold.Code.BUSY) {
            entry.positionedLate(answer.position());
        }
    }

    /** Ends the acquisition; a lease is given back. */
    @Override
    public void abandon(@Nullable RuntimeException reason) {
        if (done == null && !handed(entry.endHandOff(hold.record()), true)) {
            end(new Outcome(null, reason, false));
            report.notAcquired(context.closed() ? WaitOutcome.FAILED : WaitOutcome.ABANDONED, tries, reason);
        } else if (done != null && done.acquired() != null) {
            services.termination().giveBack(done.acquired());
        }
    }

    private Step giveUp() {
        RuntimeException failure = failures.last();
        if (failure != null) {
            return fail(refusals().ofLast(failure, failures.silence(context.now())));
        }
        end(new Outcome(null, null, true));
        report.notAcquired(WaitOutcome.BUSY, tries, null);
        return Step.OVER;
    }

    private Step fail(RuntimeException failure) {
        end(new Outcome(null, failure, false));
        report.notAcquired(WaitOutcome.FAILED, tries, failure);
        return Step.OVER;
    }

    /** Ends without a lease. */
    private void end(Outcome outcome) {
        AcquisitionId unanswered = hold.unanswered();
        // In this order: once the release is there, a late copy takes no position any more.
        hold.abandon();
        entry.leave(unanswered);
        done = outcome;
    }

    /** How long it may wait. */
    public WaitLimit limit() {
        return request.limit();
    }

    public Duration waited() {
        return report.waited();
    }

    public int tries() {
        return tries;
    }

    LockKey key() {
        return key;
    }
}
