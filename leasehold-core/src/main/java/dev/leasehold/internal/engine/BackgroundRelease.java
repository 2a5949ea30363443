package dev.leasehold.internal.engine;

import dev.leasehold.event.LossCause;
import dev.leasehold.internal.script.ReleaseScript;
import dev.leasehold.internal.script.ServerTime;
import dev.leasehold.spi.ScriptCall;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a hold back without anybody waiting: after a release that got no answer, after a loss by deadline, and after an
 * acquire whose outcome is unknown. In the last case a copy of the acquire may still be on its way, so the release is
 * final only when its answer shows Redis TIME past that copy's notAfter; until then it is repeated, even if an earlier
 * one already found and removed the hold. It gives up when the hold would have ended anyway.
 */
final class BackgroundRelease implements BatchSender.Request {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");
    private static final long MIN_RETRY_NANOS = 20_000_000;
    private static final long MAX_RETRY_NANOS = 1_000_000_000;
    private static final long NANOS_PER_MICRO = 1000;

    private final Engine engine;
    private final LeaseRecord record;
    private final ServerTime notAfter;
    private final boolean earlierLeftInTime;
    private final long giveUpAt;
    private boolean unansweredInTime;
    private int failures;

    private BackgroundRelease(Engine engine, LeaseRecord record, ServerTime notAfter, boolean earlierLeftInTime) {
        this.engine = engine;
        this.record = record;
        this.notAfter = notAfter;
        this.earlierLeftInTime = earlierLeftInTime;
        // A copy that is granted at the last moment lasts for one more lease.
        this.giveUpAt = engine.time.nanoTime()
                + record.longestSpan
                + 2 * engine.parts.limits().commandNanos();
    }

    /** After an acquire whose outcome is unknown, or a loss by deadline. */
    static void compensate(Engine engine, LeaseRecord record, ServerTime notAfter) {
        new BackgroundRelease(engine, record, record.copiesUntil.orLater(notAfter), false).begin();
    }

    /** After a release whose caller has left: of a hold that nobody shares any more. */
    static void finish(Engine engine, LeaseRecord record, boolean earlierLeftInTime) {
        new BackgroundRelease(engine, record, record.copiesUntil, earlierLeftInTime).begin();
    }

    /** A lease that nobody wants any more: it was granted to one who has left, or its client is closed. */
    static void giveBack(Engine engine, LeaseRecord granted) {
        // Once: the answer to a second release would be taken for a loss.
        if (granted.releaseCalled().became(LeaseState.RELEASING)) {
            boolean last = engine.readRoom.leave(granted, false);
            if (granted.wasTold()) {
                engine.tellReleased(granted, !last);
            }
            if (last) {
                finish(engine, granted, false);
            } else {
                granted.apply(LeaseEvent.RELEASE_CONFIRMED);
            }
        }
        engine.forget(granted);
        engine.waitRoom.ended(granted);
    }

    private void begin() {
        engine.unanswered().add(this);
        engine.lane.submit(this);
    }

    @Override
    public @Nullable ScriptCall prepare(long now) {
        if (now - giveUpAt >= 0) {
            LOG.debug("the release of lock {} was never confirmed; the hold has ended by now", record.key);
            over();
            return null;
        }
        return engine.scripts(record.key.kind())
                .release(
                        record.key,
                        record.hold(),
                        notAfter,
                        engine.parts.limits().commandNanos());
    }

    @Override
    public void answered(long sentAt, List<String> reply) {
        ReleaseScript.Answer answer = ReleaseScript.parse(reply);
        engine.serverClock.seen(answer.now(), sentAt);
        engine.unanswered().remove(this);
        settle(answer);
        long missing = notAfter.micros() - answer.now().micros();
        if (missing >= 0) {
            engine.lane.submitAfter(this, missing * NANOS_PER_MICRO + MIN_RETRY_NANOS);
        } else {
            over();
        }
    }

    /** What the answer means for a lease whose holder released it; a lease that is lost or unknown stays so. */
    private void settle(ReleaseScript.Answer answer) {
        if (record.state() != LeaseState.RELEASING) {
            return;
        }
        switch (answer.code()) {
            case RELEASED -> record.apply(LeaseEvent.RELEASE_CONFIRMED);
            case GONE, FOREIGN -> {
                if (earlierLeftInTime || unansweredInTime) {
                    record.apply(LeaseEvent.RELEASE_CONFIRMED);
                } else {
                    engine.disown(record, LeaseEvent.RELEASE_DENIED, RenewalAnswer.whyGone(answer.detail()), null);
                }
            }
            case ENDED -> engine.disown(record, LeaseEvent.RELEASE_DENIED, LossCause.ENDED, null);
        }
    }

    @Override
    public void failed(Throwable failure) {
        if (engine.maybeExecuted(RequestFailures.unwrap(failure))
                && engine.time.nanoTime() - record.validUntil(engine.suspension.check()) < 0) {
            unansweredInTime = true;
        }
        failures++;
        long delay = Math.min(MAX_RETRY_NANOS, MIN_RETRY_NANOS << Math.min(failures, 10));
        engine.lane.submitAfter(
                this, (long) (delay * (0.5 + engine.parts.jitter().getAsDouble())));
    }

    private void over() {
        engine.unanswered().remove(this);
        if (record.state() == LeaseState.UNKNOWN) {
            record.apply(LeaseEvent.COMPENSATED);
        }
    }
}
