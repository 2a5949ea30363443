package dev.leasehold.internal.acquire;

import dev.leasehold.LockOptions;
import dev.leasehold.event.WaitOutcome;
import dev.leasehold.internal.dispatch.TraceDispatcher;
import dev.leasehold.internal.jfr.Flight;
import dev.leasehold.internal.jfr.Span;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.LocalGrant;
import dev.leasehold.internal.lease.LockMessages;
import dev.leasehold.internal.lease.ProcessHold;
import dev.leasehold.internal.lease.TokenFloors;
import dev.leasehold.internal.lease.Validity;
import dev.leasehold.internal.renew.Watchdog;
import dev.leasehold.internal.request.ErrorReactions;
import dev.leasehold.internal.request.Lifecycle;
import dev.leasehold.internal.request.Operation;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.request.Step;
import dev.leasehold.internal.request.TooFewAcknowledged;
import dev.leasehold.internal.script.AcquireScript;
import dev.leasehold.internal.script.LeaseSpan;
import dev.leasehold.internal.script.ServerTime;
import dev.leasehold.internal.wait.LocalQueue;
import dev.leasehold.internal.wait.LocalWaiters;
import dev.leasehold.internal.wait.QueueEntry;
import dev.leasehold.internal.wait.ReaderGroups;
import dev.leasehold.internal.wait.WaitLimit;
import dev.leasehold.internal.wait.WaitSchedule;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One acquisition, from the call to the lease or the giving up.
 *
 * <p>Three outcomes are never merged: acquired, busy, unavailable.
 */
public final class Acquisition implements Operation<Acquisition.Outcome> {

    /** Acquired, busy, or failed; none of these if it was abandoned. */
    public record Outcome(
            @Nullable LeaseRecord acquired, @Nullable RuntimeException failure, boolean busy) {}

    private static final Logger LOG = LoggerFactory.getLogger(Acquisition.class);

    /** Silence for less than this says nothing about the connection: the caller was merely in a hurry. */
    private static final long DOUBT_NANOS = 500_000_000;

    /** Less would cut off the answer of a healthy Redis, and leave open what it was. */
    private static final long MIN_PATIENCE_NANOS = 5_000_000;

    private final RequestContext context;
    private final String process;
    private final LeaseTable leases;
    private final LeaseEvents events;
    private final LeaseTermination termination;
    private final TokenFloors floors;
    private final Watchdog watchdog;
    private final LocalWaiters waiters;
    private final ReaderGroups readers;
    private final LockKey key;
    private final @Nullable OwnerKey owner;
    private final LockOptions options;
    private final @Nullable Thread thread;
    private final boolean tied;
    private final WaitLimit limit;
    private final WaitSchedule waiting;
    private final long startedAt;
    private final @Nullable TraceDispatcher trail;
    private @Nullable String label;

    private LeaseRecord record;
    /** Until when a request that got no answer may still be granted; NONE if all were answered. */
    private ServerTime openUntil = ServerTime.NONE;

    /** Whether a hold under an earlier id may still be there: it is being given back. */
    private boolean leftBehind;

    private boolean inFlight;
    private @Nullable Holder holder;
    private int tries;
    private int staleAnswers;
    private int failures;
    private long failingSince;
    private @Nullable RuntimeException lastFailure;
    private long pauseUntil;
    private boolean waits;
    private long waitsSince;
    private @Nullable Span acquireSpan = Flight.acquisition();
    private @Nullable Span waitSpan;
    private long sentAt;
    private long surplusAtSend;
    private ServerTime notAfter = ServerTime.NONE;
    private @Nullable Outcome done;
    private final QueueEntry seat;

    Acquisition(
            RequestContext context,
            String process,
            LeaseTable leases,
            LeaseEvents events,
            LeaseTermination termination,
            TokenFloors floors,
            Watchdog watchdog,
            LocalWaiters waiters,
            ReaderGroups readers,
            AcquireRequest request) {
        this.context = context;
        this.process = process;
        this.leases = leases;
        this.events = events;
        this.termination = termination;
        this.floors = floors;
        this.watchdog = watchdog;
        this.waiters = waiters;
        this.readers = readers;
        this.key = request.key();
        this.owner = request.owner();
        this.options = request.options();
        this.thread = request.thread();
        this.tied = request.tied();
        this.limit = request.limit();
        this.trail = request.trace();
        this.label = options.label() == null && trail != null ? trail.label() : options.label();
        this.startedAt = context.now();
        this.pauseUntil = startedAt;
        this.waiting = new WaitSchedule(
                options.waitStrategy(),
                limit,
                startedAt,
                context,
                options.durability().within().toNanos());
        this.record = leases.add(key, owner, options, thread, tied);
        this.seat = takeSeat(request.fair());
    }

    private QueueEntry takeSeat(boolean fair) {
        boolean waits = waiting.wakeUps() && key.kind().hasQueue() && limit.kind() != WaitLimit.Kind.ONCE;
        if (fair) {
            return waiters.joinFairly(key, waits);
        }
        return waits ? waiters.join(key, owner, options) : QueueEntry.NONE;
    }

    @Override
    public void wakeBy(Runnable wake) {
        seat.wakeBy(wake);
    }

    @Override
    public Step next() {
        // Only a record of which nothing is on its way to Redis: or there would be two holds.
        boolean takes = owner == null && openUntil.micros() == 0;
        if (done != null || (takes && (handed(seat.take(record), true) || joins()))) {
            return new Step.Over();
        }
        long now = context.now();
        boolean behind = seat.behind();
        boolean silence = behind && othersGetNoAnswer(now);
        if (!silence && !context.closed() && pauses(now, behind)) {
            if (behind) {
                beginToWait(now, 0);
            }
            if (takes) {
                seat.ready(record);
            }
            return new Step.Pause(pauseUntil);
        }
        if (handed(seat.close(record), true)) {
            return new Step.Over();
        }
        if (context.closed()) {
            return fail(Lifecycle.closedException());
        }
        boolean late = (tries + failures > 0 || behind) && now - waiting.deadline() >= 0;
        return silence || late ? giveUp() : send(now);
    }

    private boolean pauses(long now, boolean behind) {
        boolean called = seat.called();
        if (called) {
            pauseUntil = now;
        } else if (behind && owner == null) {
            pauseUntil = waiting.deadline();
        }
        // After a failure it looks for itself: its place may be another than it knows.
        if (!called && !behind && tries > 0 && failingSince == 0 && pauseUntil - now <= 0) {
            pauseUntil = waiting.onceDue(pauseUntil, now, seat.sparedUntil(now, waiting.lastLook()));
        }
        return pauseUntil - now > 0;
    }

    /** Whether it reads under a hold of other readers of this process. */
    private boolean joins() {
        LocalGrant grant =
                key.kind() == LockKind.READ && !record.durable() ? waiters.joinReaders(record, seat.invited()) : null;
        if (grant == null) {
            return false;
        }
        waiters.entered(record, grant);
        seat.leave();
        return handed(grant, false);
    }

    /** Whether it has the lock by this grant, from another lease of this process. */
    private boolean handed(@Nullable LocalGrant grant, boolean on) {
        if (grant == null) {
            return false;
        }
        record.handed(grant);
        done = new Outcome(record, null, false);
        if (context.closed()) {
            abandon(null);
            done = new Outcome(null, Lifecycle.closedException(), false);
            tellEnd(WaitOutcome.FAILED, 0);
        } else {
            tellAcquired(record.token(), on);
        }
        return true;
    }

    /** Whether it is time to give up because the first of the line is not answered, which must not be told as busy. */
    private boolean othersGetNoAnswer(long now) {
        LocalQueue.Trouble trouble = seat.trouble();
        if (trouble == null) {
            return false;
        }
        boolean over = limit.kind() == WaitLimit.Kind.UNLIMITED
                ? outlasts(now, later(trouble.since(), startedAt))
                : now - waiting.deadline() >= 0;
        if (over) {
            lastFailure = trouble.last();
        }
        return over;
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    private boolean outlasts(long now, long since) {
        return now - since >= context.limits().outageTolerance().toNanos();
    }

    private Step send(long now) {
        long commandNanos =
                context.commandNanos() + options.durability().within().toNanos();
        if (holder == null) {
            holder = new Holder(process, thread == null ? "" : thread.getName(), label == null ? "" : label);
        }
        // An answer that comes after the lease is of no use.
        long patience = Math.min(commandNanos, record.leaseNanos());
        long timeout = Math.max(MIN_PATIENCE_NANOS, Math.min(patience, waiting.deadline() - now));
        sentAt = now;
        surplusAtSend = context.checkClocks();
        notAfter = context.serverTimeAt(now + timeout);
        inFlight = true;
        if (openUntil.micros() > 0 || !context.atMostOnce()) {
            // An earlier copy may have a later end: what is known of Redis' clock gets better from answer to answer.
            record.copyUntil(openUntil.orLater(notAfter));
        }
        return new Step.Send(
                context.scripts()
                        .of(key.kind())
                        .acquire(
                                key,
                                record.id(),
                                record.owner(),
                                new LeaseSpan(record.leaseNanos()),
                                notAfter,
                                floors.of(key),
                                holder,
                                seat.waiter(waiting.anotherTryFits(now)),
                                timeout),
                now,
                timeout >= Math.min(commandNanos, DOUBT_NANOS),
                options.durability());
    }

    @Override
    public void answered(List<String> reply) {
        inFlight = false;
        AcquireScript.Answer answer;
        try {
            answer = AcquireScript.parse(reply);
        } catch (RuntimeException e) {
            failed(RequestFailures.unreadable(e));
            return;
        }
        context.seen(answer.now(), sentAt);
        if (answer.code() != AcquireScript.Code.GRANTED) {
            leaveOpenForOtherCopies();
        }
        switch (answer.code()) {
            case GRANTED -> granted(answer);
            case BUSY -> busy(answer);
            case STALE -> stale();
            case ENDED -> startAfresh();
            case CLOCK -> fail(LockMessages.clockBehind(key, floors.of(key).token(), answer.token(), mayBeTaken()));
            case EXHAUSTED -> fail(LockMessages.exhausted(key, answer.token(), mayBeTaken()));
            case PERMITS -> fail(LockMessages.permits(key, answer.token()));
            case FOREIGN -> fail(LockMessages.foreign(key, answer.found()));
        }
    }

    /**
     * A transport that may send twice has been told no, but another copy may still be on its way, in the buffer of a
     * connection that broke, and be granted when the lock is free.
     */
    private void leaveOpenForOtherCopies() {
        if (!context.atMostOnce()) {
            openUntil = openUntil.orLater(notAfter);
        }
    }

    /** Another lock of the same call was not granted, and this one was left out. */
    void untried() {
        inFlight = false;
        leaveOpenForOtherCopies();
    }

    /** What is shown beside the holder, unless the options say something else. */
    void labelled(@Nullable String text) {
        label = label == null ? text : label;
    }

    /** When it looks next. */
    long dueAt() {
        return pauseUntil;
    }

    /** Whether it has come to its end. */
    boolean over() {
        return done != null;
    }

    private void granted(AcquireScript.Answer answer) {
        tries++;
        long now = context.now();
        if (key.kind().hasTokens()) {
            floors.seen(key, answer.lastToken(), record.leaseNanos(), now);
        }
        long span = Validity.span(record.leaseNanos(), answer.leftNanos());
        long surplus = context.surplus();
        if (now - (sentAt + span - Validity.drift(span) - (surplus - surplusAtSend)) >= 0) {
            openUntil = openUntil.orLater(notAfter);
            lastFailure = LockMessages.tooLate(key);
            startAfresh();
            return;
        }
        if (answer.lastToken() > answer.token()) {
            ProcessHold unused = record.reserved(answer.lastToken(), sentAt);
        }
        record.granted(answer.token(), sentAt, answer.leftNanos(), surplusAtSend);
        // Before anything that may throw, so that who gives up then gives back a grant.
        done = new Outcome(record, null, false);
        if (key.kind() == LockKind.READ && !record.durable()) {
            readers.open(record, sentAt);
        }
        seat.granted(record);
        watchdog.confirmed(record);
        if (context.closed()) {
            // Closed while the request was on its way, and perhaps missed by the closing: give it back here.
            abandon(null);
            done = new Outcome(null, Lifecycle.closedException(), false);
            tellEnd(WaitOutcome.FAILED, 0);
            return;
        }
        tellAcquired(answer.token(), false);
    }

    private void tellAcquired(long token, boolean handedOn) {
        tellEnd(WaitOutcome.ACQUIRED, token);
        record.observedBy(trail);
        events.acquired(record, waited(), tries, handedOn);
    }

    private void beginToWait(long now, long holderLeftNanos) {
        if (waits) {
            return;
        }
        waits = true;
        waitsSince = now;
        waitSpan = Flight.waiting();
        events.waiting(key, holderLeftNanos);
    }

    private void tellEnd(WaitOutcome outcome, long token) {
        Span waiting = waitSpan;
        Span acquiring = acquireSpan;
        waitSpan = null;
        acquireSpan = null;
        if (waiting != null) {
            waiting.over(key, outcome.name(), token, tries);
        }
        if (acquiring != null) {
            acquiring.over(key, outcome.name(), token, tries);
        }
        if (waits) {
            events.waitEnded(key, context.now() - waitsSince, outcome);
        }
        waits = false;
        if (outcome == WaitOutcome.ACQUIRED) {
            return;
        }
        RuntimeException failure = done == null ? null : done.failure();
        Flight.notAcquired(key, outcome, context.clocks().time(), startedAt, tries, failure);
        if (trail != null) {
            trail.notAcquired(outcome, failure);
        }
    }

    private void busy(AcquireScript.Answer answer) {
        long leftNanos = answer.leftNanos();
        tries++;
        failingSince = 0;
        lastFailure = null;
        seat.placed(answer.place(), answer.rank());
        seat.trouble(null, 0);
        if (limit.kind() == WaitLimit.Kind.ONCE || waiting.exhausted(tries)) {
            giveUp();
            return;
        }
        long now = context.now();
        beginToWait(now, leftNanos);
        if (!waiting.anotherTryFits(now)) {
            giveUp();
            return;
        }
        pauseUntil =
                seat.willBeCalled() ? waiting.nextLook(now, leftNanos, answer.rank()) : waiting.nextTry(now, leftNanos);
    }

    /** The clock of Redis stepped, or the request was late: the answer brought the true time, so try again at once. */
    private void stale() {
        staleAnswers++;
        if (staleAnswers > 2) {
            failed(new TransportException("requests arrive later than they may", false, null));
        }
    }

    /** The hold of this id is over: its id must not be used again, so go on under a new one. */
    private void startAfresh() {
        leftBehind |= openUntil.micros() > 0;
        abandonRecord();
        record = leases.add(key, owner, options, thread, tied);
        openUntil = ServerTime.NONE;
        retryOrGiveUp();
    }

    @Override
    public void failed(RuntimeException failure) {
        inFlight = false;
        lastFailure = failure;
        if (context.maybeExecuted(failure)) {
            openUntil = openUntil.orLater(notAfter);
        }
        TooFewAcknowledged few = TooFewAcknowledged.of(failure);
        if (few != null) {
            // There is a hold, on which nobody can rely: it is given back.
            fail(LockMessages.tooFewReplicas(key, few));
            return;
        }
        if (failure instanceof RedisErrorException error && ErrorReactions.of(error) != ErrorReactions.Reaction.RETRY) {
            fail(LockMessages.refused(key, error, mayBeTaken()));
            return;
        }
        retryOrGiveUp();
    }

    private void retryOrGiveUp() {
        long now = context.now();
        failures++;
        failingSince = failingSince == 0 ? sentAt : failingSince;
        if (lastFailure != null) {
            LocalQueue.Trouble before = seat.trouble();
            long since = before == null ? failingSince : before.since();
            seat.trouble(lastFailure, since);
            failingSince = later(since, startedAt);
        }
        if (limit.kind() == WaitLimit.Kind.UNLIMITED && outlasts(now, failingSince)) {
            giveUp();
            seat.callOthers();
            return;
        }
        pauseUntil = waiting.retryAfterFailure(now, failures);
    }

    @Override
    public Outcome outcome() {
        return Objects.requireNonNull(done);
    }

    @Override
    public boolean endsWithClient() {
        return true;
    }

    /** What may have been granted is being given back already; here it tells of a place of which nobody knows. */
    @Override
    public void answeredLate(ScriptCall call, List<String> reply) {
        try {
            AcquireScript.Answer answer = AcquireScript.parse(reply);
            if (answer.code() == AcquireScript.Code.BUSY) {
                seat.placedLate(answer.place());
            }
        } catch (RuntimeException e) {
            LOG.debug("a late answer about lock {} could not be understood", key, e);
        }
    }

    /** What was granted is given back. */
    @Override
    public void abandon(@Nullable RuntimeException reason) {
        if (done == null && !handed(seat.close(record), true)) {
            seat.leave();
            openUntil = inFlight ? openUntil.orLater(notAfter) : openUntil;
            abandonRecord();
            done = new Outcome(null, reason, false);
            tellEnd(context.closed() ? WaitOutcome.FAILED : WaitOutcome.ABANDONED, 0);
        } else if (done != null && done.acquired() != null) {
            termination.giveBack(done.acquired());
        }
    }

    private void abandonRecord() {
        if (openUntil.micros() > 0) {
            record.apply(LeaseEvent.OUTCOME_UNKNOWN);
            termination.compensate(record, openUntil);
        } else {
            record.apply(LeaseEvent.GAVE_UP);
        }
        leases.forget(record);
    }

    private Step giveUp() {
        RuntimeException failure = lastFailure;
        if (failure instanceof RedisErrorException error) {
            return fail(LockMessages.refused(key, error, mayBeTaken()));
        }
        if (failure instanceof TransportException) {
            return fail(LockMessages.noAnswer(key, mayBeTaken(), failure));
        }
        if (failure != null) {
            return fail(failure);
        }
        seat.leave();
        abandonRecord();
        tellEnd(WaitOutcome.BUSY, 0);
        events.busy(key, waited(), tries);
        done = new Outcome(null, null, true);
        return new Step.Over();
    }

    private boolean mayBeTaken() {
        return openUntil.micros() > 0 || leftBehind;
    }

    private Step fail(RuntimeException failure) {
        seat.leave();
        abandonRecord();
        done = new Outcome(null, failure, false);
        tellEnd(WaitOutcome.FAILED, 0);
        return new Step.Over();
    }

    public Duration waited() {
        return Duration.ofNanos(context.now() - startedAt);
    }

    public int tries() {
        return tries;
    }

    LockKey key() {
        return key;
    }
}
