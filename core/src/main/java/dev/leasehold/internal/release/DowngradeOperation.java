package dev.leasehold.internal.release;

import dev.leasehold.LockOptions;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.WaitOutcome;
import dev.leasehold.internal.dispatch.TraceDispatcher;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.LeaseValidity;
import dev.leasehold.internal.lease.LocalSharing;
import dev.leasehold.internal.lease.MinimumHold;
import dev.leasehold.internal.lease.ReleaseAttempts;
import dev.leasehold.internal.lease.TokenFloors;
import dev.leasehold.internal.lease.Validity;
import dev.leasehold.internal.renew.Watchdog;
import dev.leasehold.internal.request.Lifecycle;
import dev.leasehold.internal.request.Operation;
import dev.leasehold.internal.request.RefusalMessages;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.Retry;
import dev.leasehold.internal.request.Step;
import dev.leasehold.internal.store.DowngradeHold;
import dev.leasehold.internal.wait.ReaderGroups;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Turns a writer into a reader: the same hold in Redis, under a new lease. The writer's lease ends before anything is sent,
 * because a request without an answer may have let others read. The outcome is the reader's lease. It throws if the writer's
 * lease was lost, or if Redis did not answer; then the hold is given back.
 */
public final class DowngradeOperation implements Operation<LeaseRecord> {

    private final RequestContext context;
    private final LeaseTable leases;
    private final LeaseEvents events;
    private final LeaseTermination termination;
    private final LeaseValidity validity;
    private final TokenFloors floors;
    private final Watchdog watchdog;
    private final LocalSharing sharing;
    private final ReaderGroups readers;
    private final LeaseRecord writer;
    private final ReleaseAttempts attempts;
    private final long deadline;
    private final @Nullable TraceDispatcher trail;
    private @Nullable LeaseRecord reader;
    private boolean begun;
    private boolean over;
    private int tries;
    private long pauseUntil;
    private long sentAt;
    private long surplusAtSend;
    private @Nullable RuntimeException problem;

    DowngradeOperation(
            RequestContext context,
            LeaseTable leases,
            LeaseEvents events,
            LeaseTermination termination,
            LeaseValidity validity,
            TokenFloors floors,
            Watchdog watchdog,
            LocalSharing sharing,
            ReaderGroups readers,
            LeaseRecord writer) {
        this.context = context;
        this.leases = leases;
        this.events = events;
        this.termination = termination;
        this.validity = validity;
        this.floors = floors;
        this.watchdog = watchdog;
        this.sharing = sharing;
        this.readers = readers;
        this.writer = writer;
        this.attempts = termination.attempts(writer);
        this.deadline = context.now() + context.commandNanos();
        this.trail = events.trace(writer.key());
    }

    @Override
    public Step next() {
        if (!begun) {
            begin();
        }
        long now = context.now();
        if (!over && tries > 0 && pauseUntil - now > 0) {
            return new Step.Pause(pauseUntil);
        }
        if (!over && (tries == Retry.TRIES || deadline - now <= 0)) {
            fail();
        }
        if (over) {
            return Step.OVER;
        }
        tries++;
        sentAt = now;
        surplusAtSend = context.surplus();
        DowngradeHold request = new DowngradeHold(writer.key(), writer.hold(), floors.above(writer), 0, deadline - now);
        return new Step.Send<>(request, now, this::answered);
    }

    private void begin() {
        begun = true;
        if (writer.releaseCalled().became(LeaseState.RELEASING)) {
            context.unanswered().add(this);
            leases.forget(writer);
        } else {
            over = true;
            tellFailed(failure());
        }
    }

    /** Gives the hold back after Redis did not answer, or refused. */
    private void fail() {
        giveBack();
        tellFailed(failure());
    }

    private void giveBack() {
        // Before anything can be found in the background: a loss says whether a release was reported.
        events.released(writer, false);
        termination.finish(writer, attempts);
        end();
    }

    private void tellFailed(RuntimeException failure) {
        tell(WaitOutcome.FAILED, failure);
    }

    private void tell(WaitOutcome how, @Nullable RuntimeException failure) {
        if (trail != null) {
            trail.notAcquired(how, failure);
        }
    }

    private void end() {
        over = true;
        context.unanswered().remove(this);
        sharing.handsOffNothing(writer);
    }

    private void answered(DowngradeHold.Answer answer) {
        problem = null;
        switch (answer.code()) {
            case SHARED -> shared(answer);
            case GONE -> lost(LeaseTermination.causeOf(answer.detail()), null);
            case FOREIGN -> lost(LossCause.DELETED, answer.detail());
            case ENDED -> lost(LossCause.ENDED, null);
            case CLOCK ->
                refused(RefusalMessages.clockBehind(
                        writer.key(), floors.above(writer).token(), answer.token(), false));
            case EXHAUSTED -> refused(RefusalMessages.exhausted(writer.key(), answer.token(), false));
        }
    }

    private void refused(RuntimeException refusal) {
        problem = refusal;
        fail();
    }

    private void lost(LossCause cause, @Nullable String detail) {
        termination.disown(writer, LeaseEvent.RELEASE_DENIED, cause, detail);
        end();
        tellFailed(failure());
    }

    private void shared(DowngradeHold.Answer answer) {
        floors.seen(writer.key(), answer.token(), writer.leaseNanos(), context.now());
        // Replicas have acknowledged no later end than the writer's, which its deadline respects for however long
        // clocks drift.
        long asked = writer.durable()
                ? writer.validUntil(surplusAtSend) - sentAt
                : Math.max(writer.leaseNanos(), writer.end() - sentAt);
        long span = Validity.span(asked, answer.leftNanos());
        if (Validity.ended(context.now(), sentAt, span, context.surplus() - surplusAtSend)) {
            refused(new TransportException("the answer arrived after the lease had ended", true, null));
            return;
        }
        LeaseRecord next =
                leases.add(ReadKey.of(writer.key()), null, optionsOfReader(), writer.thread(), writer.tiedToThread());
        LossCause stopped = writer.plan().stopped();
        if (stopped != null) {
            next.plan().stop(stopped);
        }
        next.granted(writer, answer.token(), sentAt, span, surplusAtSend);
        readers.open(next, sentAt);
        reader = next;
        next.observedBy(trail);
        writer.apply(LeaseEvent.RELEASE_CONFIRMED);
        events.released(writer, true);
        watchdog.confirmed(next);
        if (context.closed()) {
            termination.giveBack(next);
            tellFailed(Lifecycle.closedException());
        } else {
            events.acquired(next, Duration.ZERO, tries, false);
        }
        end();
    }

    /** Returns the options of the writer, with what is left of its minimum and maximum. Readers do not retain their hold. */
    private LockOptions optionsOfReader() {
        LockOptions options = writer.options();
        Duration most = options.maxHold();
        if (options.minHold() == null && most == null) {
            return options;
        }
        long minimum = MinimumHold.rest(writer, sentAt);
        LockOptions.Builder reader =
                options.toBuilder().retainFor(null).minHold(minimum <= 0 ? null : Duration.ofNanos(minimum));
        if (most != null) {
            reader.maxHold(Duration.ofNanos(Math.max(1, most.toNanos() - (sentAt - writer.grantedAt()))));
        }
        return reader.build();
    }

    @Override
    public void failed(RuntimeException failure) {
        problem = failure;
        long now = context.now();
        pauseUntil = now + Retry.pause(tries, deadline - now);
    }

    @Override
    public void abandon(@Nullable RuntimeException reason) {
        if (reader != null) {
            termination.giveBack(reader);
        } else if (begun && !over) {
            problem = reason;
            giveBack();
            tell(context.closed() ? WaitOutcome.FAILED : WaitOutcome.ABANDONED, reason);
        }
    }

    @Override
    public LeaseRecord outcome() {
        LeaseRecord granted = reader;
        if (granted != null) {
            return granted;
        }
        throw failure();
    }

    /** The exception that says why there is no reader's lease. */
    private RuntimeException failure() {
        RuntimeException failure = problem;
        return failure == null
                ? validity.notHeld(writer)
                : ReleaseMessages.notDowngraded(writer.key(), MinimumHold.rest(writer, context.now()) > 0, failure);
    }

    @Override
    public boolean endsWithClient() {
        return false;
    }
}
