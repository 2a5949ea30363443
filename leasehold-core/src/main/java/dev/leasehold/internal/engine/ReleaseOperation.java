package dev.leasehold.internal.engine;

import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.internal.script.ReleaseScript;
import dev.leasehold.internal.script.ServerTime;
import dev.leasehold.spi.ScriptCall;
import java.util.List;
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
 * back with the last of them.
 */
final class ReleaseOperation implements Operation<Optional<LossEvent>> {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");

    private final Engine engine;
    private final LeaseRecord record;
    private boolean begun;
    private boolean over;
    private boolean inFlight;
    private boolean handsOn;
    private @Nullable HandOff asked;
    private long deadline;
    private int tries;
    private long pauseUntil;
    private long sentAt;
    private boolean sentInTime;
    private boolean earlierLeftInTime;
    private @Nullable RuntimeException problem;

    ReleaseOperation(Engine engine, LeaseRecord record) {
        this.engine = engine;
        this.record = record;
    }

    @Override
    public Step next() {
        if (!begun) {
            begin();
        }
        if (over) {
            return new Step.Over();
        }
        long now = engine.time.nanoTime();
        if (tries > 0 && pauseUntil - now > 0) {
            return new Step.Pause(pauseUntil);
        }
        if (tries == Retry.TRIES || deadline - now <= 0) {
            leave();
            return new Step.Over();
        }
        tries++;
        sentAt = now;
        sentInTime = now - record.validUntil(engine.suspension.check()) < 0;
        inFlight = true;
        asked = handsOn ? HandOff.ask(engine, record) : null;
        handsOn = false;
        ScriptCall call = asked == null
                ? engine.scripts(record.key.kind())
                        .release(record.key, record.hold(), record.copiesUntil, deadline - now)
                : asked.call(deadline - now);
        return new Step.Send(call, now, true);
    }

    private void begin() {
        begun = true;
        LeaseState before = record.releaseCalled().before();
        switch (before) {
            case HELD, UNCONFIRMED, SUSPECT -> {
                // A client that is being closed waits for it.
                engine.unanswered().add(this);
                engine.forget(record);
                engine.publishBeforeRelease();
                deadline = engine.time.nanoTime() + engine.parts.limits().commandNanos();
                boolean clean = before == LeaseState.HELD && HandOff.allowed(engine, record);
                boolean last = engine.readRoom.leave(record, clean);
                handsOn = clean && last && record.handsOn();
                if (!last || (handsOn && HandOff.now(engine, record))) {
                    confirmed();
                    end();
                }
            }
            case LOST, RELEASING, RELEASED -> over = true;
            case ACQUIRING, UNKNOWN -> throw new IllegalStateException("a lease that nobody has was released");
        }
    }

    @Override
    public void answered(List<String> reply) {
        if (asked != null) {
            handOn(asked, reply);
            return;
        }
        ReleaseScript.Answer answer;
        try {
            answer = ReleaseScript.parse(reply);
        } catch (RuntimeException e) {
            failed(RequestFailures.unreadable(e));
            return;
        }
        inFlight = false;
        engine.serverClock.seen(answer.now(), sentAt);
        settle(answer);
        if (!record.key.kind().remembersReleases()
                && record.copiesUntil.micros() >= answer.now().micros()) {
            // A late copy of the acquire finds the key free, and nobody would know of that hold.
            BackgroundRelease.compensate(engine, record, ServerTime.NONE);
        }
        end();
    }

    /** Redis was asked whether the lock may be handed on: if not, or if nobody waits here any more, it is released. */
    private void handOn(HandOff question, List<String> reply) {
        try {
            inFlight = false;
            pauseUntil = engine.time.nanoTime();
            if (question.answered(reply, sentAt)) {
                confirmed();
                end();
            }
        } catch (RuntimeException e) {
            failed(RequestFailures.unreadable(e));
        }
    }

    @Override
    public void failed(RuntimeException failure) {
        inFlight = false;
        // Who was merely asked whether to go on has released nothing.
        earlierLeftInTime |= asked == null && sentInTime && engine.maybeExecuted(failure);
        problem = failure;
        long now = engine.time.nanoTime();
        pauseUntil = now + Retry.pause(tries, deadline - now);
    }

    @Override
    public void abandon(@Nullable RuntimeException reason) {
        if (begun && !over) {
            earlierLeftInTime |= asked == null && inFlight && sentInTime;
            leave();
        }
    }

    private void leave() {
        LOG.warn(
                "the release of lock {} was not confirmed and is repeated in the background until the hold ends: {}",
                record.key,
                LockMessages.reason(problem));
        // Before anything can be found in the background: a loss says whether a release was told.
        tell(false);
        BackgroundRelease.finish(engine, record, earlierLeftInTime);
        end();
    }

    private void end() {
        over = true;
        engine.unanswered().remove(this);
        engine.waitRoom.ended(record);
    }

    private void settle(ReleaseScript.Answer answer) {
        switch (answer.code()) {
            case RELEASED -> confirmed();
            case GONE, FOREIGN -> {
                // An earlier attempt left in time and got no answer: that was the one that released.
                if (earlierLeftInTime) {
                    confirmed();
                } else {
                    engine.disown(record, LeaseEvent.RELEASE_DENIED, RenewalAnswer.whyGone(answer.detail()), null);
                }
            }
            case ENDED -> engine.disown(record, LeaseEvent.RELEASE_DENIED, LossCause.ENDED, null);
        }
    }

    private void confirmed() {
        record.apply(LeaseEvent.RELEASE_CONFIRMED);
        tell(true);
    }

    private void tell(boolean confirmed) {
        engine.tellReleased(record, confirmed);
    }

    @Override
    public Optional<LossEvent> outcome() {
        return Optional.ofNullable(record.notice().tellOnce());
    }

    @Override
    public boolean endsWithClient() {
        return false;
    }
}
