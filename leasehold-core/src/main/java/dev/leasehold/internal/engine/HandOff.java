package dev.leasehold.internal.engine;

import dev.leasehold.internal.script.GoOnScript;
import dev.leasehold.internal.script.LeaseSpan;
import dev.leasehold.spi.ScriptCall;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hands the lock of a released lease to the next of this process that waits for it.
 *
 * <p>Only where nobody can tell the two holds apart: from a clean release of a lease that was held beyond doubt and never
 * extended, between leases of default ownership with the same lease time and renewal. A run ends when its tokens are
 * spent, after its time, or when less is left of the hold than the next lease may count on; then Redis is
 * asked, which knows whether other processes wait.
 */
final class HandOff {

    private final Engine engine;
    private final LeaseRecord record;
    private final long surplusAtSend;
    private final int followers;

    private HandOff(Engine engine, LeaseRecord record, int followers) {
        this.engine = engine;
        this.record = record;
        this.followers = followers;
        this.surplusAtSend = engine.suspension.check();
    }

    /** Whether the lease, held beyond doubt until this release, may be followed by another. */
    static boolean allowed(Engine engine, LeaseRecord record) {
        long surplus = engine.suspension.check();
        return !engine.closed()
                && !record.exported
                && record.longestSpan == record.leaseNanos()
                && record.renewalStopped == null
                && !record.suspicious(surplus)
                && engine.time.nanoTime() - record.validUntil(surplus) < 0;
    }

    /** Hands it on as it is; false if nobody is there for it, or Redis must be asked first. */
    static boolean now(Engine engine, LeaseRecord record) {
        LocalGrant grant = record.next(engine.time.nanoTime(), engine.suspension.check());
        return grant != null && engine.waitRoom.hand(record, grant);
    }

    /** The question to Redis; null if nobody waits here to whom it could be handed, or others may share it by now. */
    static @Nullable HandOff ask(Engine engine, LeaseRecord record) {
        int followers = engine.waitRoom.followers(record);
        return followers == 0 || !record.handsOn() ? null : new HandOff(engine, record, followers);
    }

    ScriptCall call(long timeoutNanos) {
        return engine.goOn.call(
                record.key,
                record.hold(),
                new LeaseSpan(record.leaseNanos()),
                engine.waitRoom.place(record.key.write()),
                ProcessHold.tokens(followers),
                timeoutNanos);
    }

    /** Returns whether the lock was handed on. */
    boolean answered(List<String> reply, long sentAt) {
        GoOnScript.Answer answer = GoOnScript.parse(reply);
        engine.serverClock.seen(answer.now(), sentAt);
        if (answer.code() != GoOnScript.Code.GOING) {
            return false;
        }
        long now = engine.time.nanoTime();
        engine.floors.seen(record.key, answer.lastToken(), record.leaseNanos(), now);
        long span = Validity.span(record.leaseNanos(), answer.leftNanos());
        long validUntil = sentAt + span - Validity.drift(span);
        if (now - (validUntil - (engine.suspension.check() - surplusAtSend)) >= 0) {
            return false;
        }
        ProcessHold tenure = record.reserved(answer.lastToken(), sentAt);
        return engine.waitRoom.hand(
                record,
                new LocalGrant(
                        tenure, answer.token(), now, sentAt + span, validUntil, surplusAtSend, record.copiesUntil));
    }
}
