package dev.leasehold.internal.engine;

import dev.leasehold.event.LossCause;
import dev.leasehold.event.RenewedEvent;
import dev.leasehold.internal.jfr.Flight;
import dev.leasehold.internal.script.RenewScript;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an answer to a renewal means for the lease, or for the one that has its hold by now if it was handed on; also for
 * extensions and confirmations by the caller.
 */
final class RenewalAnswer {

    private RenewalAnswer() {}

    /** Returns whether the lease is held. */
    static boolean apply(
            Engine engine,
            LeaseRecord record,
            RenewScript.Answer answer,
            long sentAt,
            long asked,
            long surplusAtSend,
            boolean byWatchdog) {
        switch (answer.code()) {
            case RENEWED -> {
                return renewed(engine, record, answer.leftNanos(), sentAt, asked, surplusAtSend, byWatchdog);
            }
            case ASKED -> {
                boolean held = renewed(engine, record, answer.leftNanos(), sentAt, asked, surplusAtSend, byWatchdog);
                engine.releaseRequested(record);
                return held;
            }
            case GONE -> denied(engine, record, whyGone(answer.detail()), null);
            case FOREIGN -> denied(engine, record, LossCause.DELETED, answer.detail());
            case ENDED -> denied(engine, record, LossCause.ENDED, null);
        }
        return false;
    }

    /** Why there is no such hold, as all scripts tell it. */
    static LossCause whyGone(String why) {
        return why.equals("taken") ? LossCause.TAKEN_OVER : LossCause.DELETED;
    }

    private static void denied(Engine engine, LeaseRecord record, LossCause cause, @Nullable String detail) {
        engine.disown(record.denied(cause), LeaseEvent.DISOWNED, cause, detail);
    }

    private static boolean renewed(
            Engine engine,
            LeaseRecord record,
            long left,
            long sentAt,
            long asked,
            long surplusAtSend,
            boolean byWatchdog) {
        long now = engine.time.nanoTime();
        if (record.holding() && now - engine.watchdog.lossAt(record, engine.suspension.check()) >= 0) {
            // Its holder has seen it invalid already: what was once lost is never held again.
            engine.expire(record);
            return false;
        }
        // The end was moved to what was asked, or stays where it was known to be; and it is no later than Redis saw it.
        long span = Validity.span(Math.max(asked, record.end() - sentAt), left);
        LeaseRecord.Transition transition =
                record.confirmed(sentAt, span, surplusAtSend, byWatchdog && asked > 0 && !record.gathering());
        if (transition.after() != LeaseState.HELD) {
            return false;
        }
        long due = record.renewDueAt;
        engine.watchdog.confirmed(record);
        if (asked <= 0) {
            return true;
        }
        long lag = Math.max(0, now - due);
        long validFor = record.validUntil(surplusAtSend) - now;
        Flight.renewed(record.key, lag, validFor);
        if (engine.events.heard()) {
            RenewedEvent event = new RenewedEvent(
                    record.key.name(), record.owner().name(), Duration.ofNanos(lag), Duration.ofNanos(validFor));
            engine.events.tell(listener -> listener.renewed(event));
        }
        return true;
    }
}
