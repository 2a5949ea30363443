package dev.leasehold.internal.acquire;

import dev.leasehold.LockOptions;
import dev.leasehold.event.WaitOutcome;
import dev.leasehold.internal.dispatch.TraceDispatcher;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.TokenFloors;
import dev.leasehold.internal.lease.Validity;
import dev.leasehold.internal.renew.Watchdog;
import dev.leasehold.internal.request.ErrorReactions;
import dev.leasehold.internal.request.Lifecycle;
import dev.leasehold.internal.request.Operation;
import dev.leasehold.internal.request.RefusalMessages;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.Retry;
import dev.leasehold.internal.request.Step;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ResumeHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import org.jspecify.annotations.Nullable;

/**
 * Takes over an exported lease, within one command timeout. A try without an answer is repeated under the same id, which finds
 * its own hold. If the outcome stays unknown, a compensating release follows, as after an acquisition: the former holder keeps
 * the lock if it was never taken over; otherwise the lock is free again.
 */
final class ResumeOperation implements Operation<LeaseRecord> {

    private static final int MOST_STALE = 2;

    private final RequestContext context;
    private final String process;
    private final LeaseTable leases;
    private final LeaseEvents events;
    private final LeaseTermination termination;
    private final TokenFloors floors;
    private final Watchdog watchdog;
    private final ExportedLease exported;
    private final LeaseRecord record;
    private final @Nullable TraceDispatcher trail;
    private final EndReport ends;
    private final long deadline;
    private boolean over;
    private boolean inFlight;
    private int tries;
    private int staleAnswers;
    private long pauseUntil;
    private long sentAt;
    private long floor;
    private long surplusAtSend;
    private ServerTime notAfter = ServerTime.NONE;
    /** Until when a request without an answer may still be granted; NONE if all were answered. */
    private ServerTime openUntil = ServerTime.NONE;

    private @Nullable RuntimeException problem;
    private boolean granted;

    ResumeOperation(AcquireServices services, ExportedLease exported, LockOptions options, @Nullable Thread thread) {
        this.context = services.context();
        this.process = services.process();
        this.leases = services.leases();
        this.events = services.events();
        this.termination = services.termination();
        this.floors = services.floors();
        this.watchdog = services.watchdog();
        this.exported = exported;
        long now = context.now();
        this.deadline =
                now + context.commandNanos() + options.durability().within().toNanos();
        this.record = leases.add(exported.key(), exported.owner(), options, thread, false);
        record.begunAt(now);
        this.trail = events.trace(exported.key());
        this.ends = new EndReport(context, events, trail, now);
    }

    @Override
    public Step next() {
        if (over) {
            return Step.OVER;
        }
        long now = context.now();
        if (context.closed()) {
            return fail(Lifecycle.closedException());
        }
        if (tries > 0 && pauseUntil - now > 0) {
            return new Step.Pause(pauseUntil);
        }
        if (tries == Retry.TRIES || deadline - now <= 0) {
            return fail(AcquireMessages.notResumed(record.key(), mayBeTaken(), problem));
        }
        return send(now);
    }

    private Step send(long now) {
        tries++;
        sentAt = now;
        surplusAtSend = context.checkClocks();
        notAfter = context.serverTimeAt(record.key(), deadline);
        inFlight = true;
        floor = Math.max(exported.token(), floors.of(record.key()).token());
        String own = record.options().label();
        String label = own == null && trail != null ? trail.label() : own;
        Thread thread = record.thread();
        ResumeHold request = new ResumeHold(
                record.key(),
                record.id(),
                new ResumeHold.Former(exported.hold(), exported.copiesUntil()),
                record.owner(),
                new LeaseSpan(record.leaseNanos()),
                notAfter,
                new TokenFloor(floor),
                new Holder(process, thread == null ? "" : thread.getName(), label == null ? "" : label),
                deadline - now);
        return new Step.Send<>(request, now, record.options().durability(), this::answered);
    }

    private void answered(ResumeHold.Answer answer) {
        inFlight = false;
        if (answer.code() != ResumeHold.Code.GRANTED) {
            leaveOpenForOtherCopies();
        }
        switch (answer.code()) {
            case GRANTED -> granted(answer);
            case SEVERAL -> fail(AcquireMessages.severalHolds(record.key(), record.owner(), answer.detail()));
            case GONE -> fail(AcquireMessages.notResumable(record.key(), answer.detail()));
            case STALE -> stale();
            case ENDED -> fail(AcquireMessages.tooLate(record.key()));
            case CLOCK -> fail(RefusalMessages.clockBehind(record.key(), floor, answer.token(), mayBeTaken()));
            case EXHAUSTED -> fail(RefusalMessages.exhausted(record.key(), answer.token(), mayBeTaken()));
            case FOREIGN -> fail(RefusalMessages.foreign(record.key(), answer.detail()));
        }
    }

    /** Expects further copies of the request, as an acquisition does: a transport that may send twice was answered once. */
    private void leaveOpenForOtherCopies() {
        if (!context.atMostOnce()) {
            openUntil = openUntil.orLater(notAfter);
        }
    }

    /** The clock of Redis stepped, or the request was late: the answer carried the true time, so it is tried again at once. */
    private void stale() {
        staleAnswers++;
        if (staleAnswers > MOST_STALE) {
            failed(new TransportException("requests arrive later than they may", false, null));
        } else {
            pauseUntil = context.now();
        }
    }

    private void granted(ResumeHold.Answer answer) {
        long now = context.now();
        floors.seen(record.key(), answer.token(), record.leaseNanos(), now);
        long span = Validity.span(record.leaseNanos(), answer.leftNanos());
        if (Validity.ended(now, sentAt, span, context.surplus() - surplusAtSend)) {
            openUntil = openUntil.orLater(notAfter);
            fail(AcquireMessages.tooLate(record.key()));
            return;
        }
        record.granted(answer.token(), sentAt, answer.leftNanos(), surplusAtSend);
        // Before anything that may throw, so that abandoning it gives back the grant.
        granted = true;
        over = true;
        problem = null;
        watchdog.confirmed(record);
        if (context.closed()) {
            // The client closed while the request was in flight, and may not have seen this lease: given back here.
            termination.giveBack(record);
            problem = Lifecycle.closedException();
            ends.notAcquired(record.key(), WaitOutcome.FAILED, tries, problem);
            return;
        }
        record.observedBy(trail);
        events.acquired(record, ends.waited(), tries, false);
    }

    @Override
    public void failed(RuntimeException failure) {
        inFlight = false;
        problem = failure;
        if (context.maybeExecuted(failure)) {
            openUntil = openUntil.orLater(notAfter);
        }
        if (failure instanceof RedisErrorException error && ErrorReactions.of(error) != ErrorReactions.Reaction.RETRY) {
            fail(RefusalMessages.refused(record.key(), error, mayBeTaken()));
            return;
        }
        long now = context.now();
        pauseUntil = now + Retry.pause(tries, deadline - now);
    }

    private boolean mayBeTaken() {
        return openUntil.micros() > 0;
    }

    private Step fail(RuntimeException failure) {
        problem = failure;
        end();
        ends.notAcquired(record.key(), WaitOutcome.FAILED, tries, problem);
        return Step.OVER;
    }

    /** Ends it without a lease; a hold that may exist, or may still be granted, is given back. */
    private void end() {
        over = true;
        if (mayBeTaken()) {
            record.apply(LeaseEvent.OUTCOME_UNKNOWN);
            termination.compensate(record, openUntil);
        } else {
            record.apply(LeaseEvent.GAVE_UP);
        }
        leases.forget(record);
    }

    @Override
    public void abandon(@Nullable RuntimeException reason) {
        if (granted) {
            termination.giveBack(record);
        } else if (!over) {
            openUntil = inFlight ? openUntil.orLater(notAfter) : openUntil;
            problem = reason;
            end();
            ends.notAcquired(
                    record.key(), context.closed() ? WaitOutcome.FAILED : WaitOutcome.ABANDONED, tries, problem);
        }
    }

    @Override
    public LeaseRecord outcome() {
        RuntimeException failure = problem;
        if (failure != null) {
            throw failure;
        }
        if (!granted) {
            throw new IllegalStateException("the resume of " + record.key().inWords() + " was given up");
        }
        return record;
    }

    @Override
    public boolean endsWithClient() {
        return true;
    }
}
