package dev.leasehold.internal.engine;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.internal.script.LeaseSpan;
import dev.leasehold.internal.script.RenewScript;
import dev.leasehold.spi.RedisErrorException;
import java.time.Duration;
import java.util.List;

/** What a holder asks of its lease while it has it: whether it is valid, for how long, and for more time. */
final class Holding {

    private Holding() {}

    /** Whether the lease may be relied on now; finding the deadline passed declares the loss. */
    static boolean valid(Engine engine, LeaseRecord record) {
        long surplus = engine.watchdog.checkClocks();
        boolean holding = switch (record.state()) {
            case HELD, UNCONFIRMED -> !record.suspicious(surplus);
            case ACQUIRING, UNKNOWN, SUSPECT, RELEASING, RELEASED, LOST -> false;
        };
        long now = engine.time.nanoTime();
        if (record.holding() && now - engine.watchdog.lossAt(record, surplus) >= 0) {
            engine.expire(record);
        }
        return holding && now - record.validUntil(surplus) < 0;
    }

    static Duration remaining(Engine engine, LeaseRecord record) {
        if (!valid(engine, record)) {
            return Duration.ZERO;
        }
        long left = record.validUntil(engine.suspension.check()) - engine.time.nanoTime();
        return Duration.ofNanos(Math.max(0, left));
    }

    static void ensure(Engine engine, LeaseRecord record) {
        if (valid(engine, record)) {
            return;
        }
        if (record.holding()) {
            long sentAt = engine.time.nanoTime();
            ask(engine, record, 0, sentAt, sentAt + engine.parts.limits().commandNanos());
        }
        if (!valid(engine, record)) {
            throw notHeld(engine, record);
        }
    }

    private static RuntimeException notHeld(Engine engine, LeaseRecord record) {
        LossEvent loss = record.notice.event();
        if (loss != null) {
            return Messages.lost(record.key, record.owner, loss);
        }
        if (record.holding()) {
            return new LockUnavailableException(
                    record.key.name(),
                    true,
                    "the clocks of this machine jumped, and Redis did not confirm the lease of lock "
                            + record.key.shown() + ". Do not go on with what it guards; ask again",
                    null);
        }
        Duration held = Duration.ofNanos(engine.time.nanoTime() - record.grantedAt());
        LossEvent released = new LossEvent(
                record.key.name(), record.owner.name(), record.token(), LossCause.ENDED, held, "released");
        return Messages.released(record.key, record.owner, released);
    }

    static boolean extend(Engine engine, LeaseRecord record, Duration time) {
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException("extension " + time + " of lock " + record.key.shown()
                    + " must be positive. It is added to what remains of the lease");
        }
        long now = engine.time.nanoTime();
        long max = engine.parts.limits().maxLeaseTime().toNanos();
        long rest = Math.max(0, record.end() - now);
        if (time.compareTo(Duration.ofNanos(Math.max(0, max - rest))) > 0) {
            throw new IllegalArgumentException("extension " + time + " of lock " + record.key.shown()
                    + " would make the lease longer than the client's maximum of "
                    + engine.parts.limits().maxLeaseTime() + ". Give less, or raise maxLeaseTime(...)");
        }
        valid(engine, record);
        return switch (record.state()) {
            case HELD, UNCONFIRMED, SUSPECT -> extendTo(engine, record, now + rest + time.toNanos());
            case LOST -> false;
            case ACQUIRING, UNKNOWN, RELEASING, RELEASED ->
                throw new IllegalStateException("the lease of lock " + record.key.shown()
                        + " was released and cannot be extended. Acquire the lock again");
        };
    }

    /** The target is fixed before the first try, so that a second one after a lost answer adds nothing. */
    private static boolean extendTo(Engine engine, LeaseRecord record, long target) {
        long deadline = engine.time.nanoTime() + engine.parts.limits().commandNanos();
        record.longestSpan = Math.max(record.longestSpan, target - engine.time.nanoTime());
        RuntimeException problem = null;
        for (int tries = 0; tries < Retry.TRIES; tries++) {
            long sentAt = engine.time.nanoTime();
            if (deadline - sentAt <= 0) {
                break;
            }
            Exchange exchange = ask(engine, record, target - sentAt, sentAt, deadline);
            if (exchange.reply() != null) {
                return valid(engine, record);
            }
            problem = exchange.problem();
            Retry.pause(tries, deadline - engine.time.nanoTime());
        }
        if (problem instanceof RedisErrorException error) {
            throw Messages.refused(record.key, error, false);
        }
        throw new LockUnavailableException(
                record.key.name(),
                true,
                "Redis did not confirm the extension of lock " + record.key.shown() + ": " + Messages.reason(problem)
                        + ". The lease keeps the deadline it had",
                problem);
    }

    /** Renews or, with 0, confirms on the caller's thread. */
    private static Exchange ask(Engine engine, LeaseRecord record, long asked, long sentAt, long deadline) {
        long surplusAtSend = engine.suspension.check();
        LeaseSpan span = asked == 0 ? LeaseSpan.CONFIRM : new LeaseSpan(asked);
        Exchange exchange =
                Exchange.run(engine, engine.renew.call(record.key, record.id, span, deadline - sentAt), sentAt, true);
        List<String> reply = exchange.reply();
        if (reply != null) {
            RenewScript.Answer answer = RenewScript.parse(reply);
            engine.serverClock.seen(answer.now(), sentAt);
            RenewalAnswer.apply(engine, record, answer, sentAt, asked, surplusAtSend, false);
        }
        return exchange;
    }
}
