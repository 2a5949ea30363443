package dev.leasehold.internal.engine;

import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.internal.script.ReleaseScript;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The holder gives a lease back: sent and answered on the caller's thread. Without an answer within the command time-out
 * the caller leaves and the background goes on.
 */
final class ReleaseOperation {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");

    private final Engine engine;
    private final LeaseRecord record;
    private boolean earlierLeftInTime;

    ReleaseOperation(Engine engine, LeaseRecord record) {
        this.engine = engine;
        this.record = record;
    }

    /** Releases, or tells of the loss: the event is for whoever calls first, null for all others and if all is well. */
    @Nullable
    LossEvent run() {
        LeaseState before = record.notice
                .release(() -> record.apply(LeaseEvent.RELEASE_CALLED))
                .before();
        switch (before) {
            case HELD, UNCONFIRMED, SUSPECT -> releaseBeforeClosing();
            case LOST, RELEASING, RELEASED -> {}
            case ACQUIRING, UNKNOWN -> throw new IllegalStateException("a lease that nobody has was released");
        }
        return record.notice.tellOnce();
    }

    /** A client that is being closed waits for it. */
    private void releaseBeforeClosing() {
        engine.unanswered().add(this);
        try {
            engine.forget(record);
            release();
        } finally {
            engine.unanswered().remove(this);
        }
    }

    private void release() {
        engine.publishBeforeRelease();
        long deadline = engine.time.nanoTime() + engine.parts.limits().commandNanos();
        RuntimeException problem = null;
        for (int tries = 0; tries < Retry.TRIES; tries++) {
            long sentAt = engine.time.nanoTime();
            long timeout = deadline - sentAt;
            if (timeout <= 0) {
                break;
            }
            boolean inTime = sentAt - record.validUntil(engine.suspension.check()) < 0;
            Exchange exchange = Exchange.run(
                    engine, engine.release.call(record.key, record.id, record.copiesUntil, timeout), sentAt, true);
            List<String> reply = exchange.reply();
            ReleaseScript.Answer answer = reply == null ? null : understood(reply);
            if (answer != null) {
                engine.serverClock.seen(answer.now(), sentAt);
                answered(answer);
                return;
            }
            earlierLeftInTime |= inTime && (reply != null || exchange.maybeExecuted());
            problem = exchange.problem();
            Retry.pause(tries, deadline - engine.time.nanoTime());
        }
        LOG.warn(
                "the release of lock {} was not confirmed and is repeated in the background until the hold ends: {}",
                record.key,
                Messages.reason(problem));
        BackgroundRelease.finish(engine, record, earlierLeftInTime);
        tell(false);
    }

    /** The answer, or null if it makes no sense, which says as little as silence. */
    private ReleaseScript.@Nullable Answer understood(List<String> reply) {
        try {
            return ReleaseScript.parse(reply);
        } catch (RuntimeException e) {
            LOG.warn("an answer to the release of lock {} could not be understood", record.key, e);
            return null;
        }
    }

    private void answered(ReleaseScript.Answer answer) {
        switch (answer.code()) {
            case RELEASED -> confirmed();
            case GONE, FOREIGN -> {
                // An earlier attempt left in time and got no answer: that was the one that released.
                if (earlierLeftInTime) {
                    confirmed();
                } else {
                    LossCause cause = answer.detail().equals("taken") ? LossCause.TAKEN_OVER : LossCause.DELETED;
                    engine.disown(record, LeaseEvent.RELEASE_DENIED, cause, null);
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
        if (engine.events.heard()) {
            Duration held = Duration.ofNanos(engine.time.nanoTime() - record.grantedAt());
            ReleasedEvent event = new ReleasedEvent(record.key.name(), record.owner.name(), held, confirmed);
            engine.events.tell(listener -> listener.released(event));
        }
    }
}
