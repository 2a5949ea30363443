package dev.leasehold.internal.release;

import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.LocalSharing;
import dev.leasehold.internal.lease.ReleaseAttempts;
import dev.leasehold.internal.request.Operation;
import dev.leasehold.internal.request.RefusalAdvice;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.Retry;
import dev.leasehold.internal.request.Step;
import dev.leasehold.internal.retain.RetainedLocks;
import dev.leasehold.internal.store.ContinueHandOff;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.ResumeHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.spi.TransportException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The holder gives a lease back. Without an answer within the command time-out the caller leaves and the background goes
 * on. The outcome is the loss, for whoever asks first; empty for all others and if all is well.
 *
 * <p>If others of this process wait for the lock it is handed to the first of them: as it is, while the run lasts; else
 * Redis is asked first whether somebody else waits. After any doubt it goes back to Redis. A hold that readers share goes
 * back with the last of them. While the minimum hold is not over, the lock is not handed on, and Redis keeps the hold for the rest.
 */
public final class ReleaseOperation implements Operation<Optional<LossEvent>> {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");

    private final RequestContext context;
    private final LeaseTable leases;
    private final LeaseEvents events;
    private final LeaseTermination termination;
    private final LocalSharing sharing;
    private final HandOff handOff;
    private final RetainedLocks retained;
    /** Null if the lease has no minimum hold. */
    private final @Nullable KeepRequests keep;

    private final LeaseRecord record;
    private final ReleaseAttempts attempts;
    /** Of several locks that are released together, all end by then. */
    private final long deadline;

    private boolean begun;
    private boolean over;
    private boolean inFlight;
    private boolean handsOff;
    private boolean retains;
    private boolean asked;
    private int tries;
    private long pauseUntil;
    private long sentAt;
    private long surplusAtSend;
    private @Nullable RuntimeException problem;

    ReleaseOperation(
            RequestContext context,
            LeaseTable leases,
            LeaseEvents events,
            LeaseTermination termination,
            LocalSharing sharing,
            HandOff handOff,
            RetainedLocks retained,
            @Nullable KeepRequests keep,
            LeaseRecord record) {
        this.context = context;
        this.leases = leases;
        this.events = events;
        this.termination = termination;
        this.sharing = sharing;
        this.handOff = handOff;
        this.retained = retained;
        this.keep = keep;
        this.record = record;
        this.attempts = new ReleaseAttempts(record);
        this.deadline = context.now() + context.commandNanos();
    }

    @Override
    public Step next() {
        if (!begun) {
            begin();
        }
        if (over) {
            return Step.OVER;
        }
        long now = context.now();
        if (tries > 0 && pauseUntil - now > 0) {
            return new Step.Pause(pauseUntil);
        }
        if (tries == Retry.TRIES || deadline - now <= 0) {
            leave();
            return Step.OVER;
        }
        tries++;
        sentAt = now;
        surplusAtSend = context.surplus();
        inFlight = true;
        return send(now);
    }

    /** Sends the release; before it, once, a question that may make it superfluous. */
    private Step send(long now) {
        boolean handsOn = handsOff && handOff.findFollowers();
        boolean keeps = handsOff && !handsOn && retains;
        handsOff = false;
        asked = handsOn || keeps;
        if (keep != null && keep.due(now)) {
            return new Step.Send<>(keep.request(now, deadline), now, this::keepAnswered);
        }
        if (!asked) {
            return new Step.Send<>(request(record, deadline - now), now, this::answered);
        }
        // The question may add fields to the hold, also without an answer.
        record.sent().lean(false);
        if (handsOn) {
            return new Step.Send<>(handOff.question(deadline - now), now, this::handOffAnswered);
        }
        ContinueHandOff.Retain question = retained.request(record, deadline - now);
        attempts.endsEarly(now, surplusAtSend, question.lease().nanos());
        return new Step.Send<>(question, now, this::retainAnswered);
    }

    /** The request that removes the hold of a lease. */
    static ReleaseHold request(LeaseRecord record, long timeoutNanos) {
        return LeaseTermination.request(record, record.sent().copiesUntil(), timeoutNanos);
    }

    private void begin() {
        begun = true;
        // A client that is being closed waits for it, from the moment at which the lease is no longer held.
        context.unanswered().add(this);
        LeaseState before = record.releaseCalled().before();
        switch (before) {
            case HELD, UNCONFIRMED, SUSPECT -> {
                leases.forget(record);
                leases.beforeRelease();
                boolean mayEnd = keep == null || !keep.due(context.now());
                boolean clean = before == LeaseState.HELD && handOff.checkNow() && mayEnd;
                boolean last = sharing.leave(record, clean);
                handsOff = clean && last && record.mayHandOff();
                retains = handsOff && retained.mayRetain(record);
                if (!last || (handsOff && handOff.now())) {
                    confirmed();
                    end();
                } else {
                    attempts.begin(context.now(), context.surplus());
                }
            }
            case LOST, RELEASING, RELEASED -> {
                over = true;
                context.unanswered().remove(this);
            }
            case ACQUIRING, UNKNOWN -> throw new IllegalStateException("a lease that nobody has was released");
        }
    }

    private void answered(ReleaseHold.Answer answer) {
        inFlight = false;
        settle(answer);
        if (!record.key().kind().remembersReleases()
                && record.sent().copiesUntil().micros() >= answer.now().micros()) {
            // A late copy of the acquire finds the key free, and nobody would know of that hold.
            termination.compensate(record, ServerTime.NONE);
        }
        end();
    }

    /** Redis was asked whether the lock may be handed on: if not, or if nobody waits here any more, it is released. */
    private void handOffAnswered(ContinueHandOff.Answer answer) {
        inFlight = false;
        pauseUntil = context.now();
        if (handOff.answered(answer, sentAt)) {
            confirmed();
            end();
        }
    }

    /**
     * Redis was asked to keep the hold until its minimum is over. If it gives no token for that, the hold stays until its lease
     * ends, which is later.
     */
    private void keepAnswered(ResumeHold.Answer answer) {
        inFlight = false;
        switch (answer.code()) {
            case GRANTED, ENDED, SEVERAL, CLOCK, EXHAUSTED -> {
                if (keep != null && answer.code() == ResumeHold.Code.GRANTED) {
                    keep.granted(answer);
                }
                confirmed();
                end();
            }
            case STALE -> {
                problem = new TransportException("requests arrive later than they may", false, null);
                pauseUntil = context.now();
            }
            case GONE, FOREIGN -> {
                gone(answer.detail().equals("ended") ? LossCause.ENDED : LeaseTermination.causeOf(answer.detail()));
                end();
            }
        }
    }

    /** Redis was asked to retain the hold: if not, it is released. */
    private void retainAnswered(ContinueHandOff.Answer answer) {
        inFlight = false;
        pauseUntil = context.now();
        if (retained.answered(record, answer, sentAt, surplusAtSend, this::confirmed)) {
            end();
        }
    }

    @Override
    public void failed(RuntimeException failure) {
        inFlight = false;
        // A question removes nothing.
        if (!asked && context.maybeExecuted(failure)) {
            attempts.unanswered(sentAt, surplusAtSend);
        }
        problem = failure;
        long now = context.now();
        pauseUntil = now + Retry.pause(tries, deadline - now);
    }

    @Override
    public void abandon(@Nullable RuntimeException reason) {
        if (begun && !over) {
            if (!asked && inFlight) {
                attempts.unanswered(sentAt, surplusAtSend);
            }
            problem = reason == null ? problem : reason;
            leave();
        }
    }

    private void leave() {
        boolean stays = keep != null && keep.due(context.now());
        LOG.warn(
                "the release of lock {} was not confirmed and {}: {}",
                record.key(),
                stays
                        ? "the hold may stay until its lease ends, because its minHold is not over"
                        : "is repeated in the background until the hold ends",
                RefusalAdvice.explain(problem));
        // Before anything can be found in the background: a loss says whether a release was told.
        tell(false);
        termination.finish(record, attempts);
        end();
    }

    private void end() {
        over = true;
        context.unanswered().remove(this);
        sharing.handsOffNothing(record);
    }

    private void settle(ReleaseHold.Answer answer) {
        if (answer.code() == ReleaseHold.Code.RELEASED) {
            confirmed();
        } else {
            gone(LeaseTermination.causeOf(answer));
        }
    }

    private void gone(LossCause cause) {
        if (attempts.explain(cause, context.now(), context.surplus())) {
            confirmed();
        } else {
            termination.disown(record, LeaseEvent.RELEASE_DENIED, cause, null);
        }
    }

    private void confirmed() {
        record.apply(LeaseEvent.RELEASE_CONFIRMED);
        tell(true);
    }

    private void tell(boolean confirmed) {
        events.released(record, confirmed);
    }

    @Override
    public Optional<LossEvent> outcome() {
        return Optional.ofNullable(record.notice().takeForRelease());
    }

    @Override
    public boolean endsWithClient() {
        return false;
    }
}
