package dev.leasehold.internal.engine;

import dev.leasehold.LeaseholdException;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a holder asks of its lease while it has it: whether it is valid, for how long, and for more time. */
final class LeaseChecks {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");

    private LeaseChecks() {}

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
        boolean confirmed = false;
        if (record.holding()) {
            try {
                confirmed = new BlockingDriver<>(engine, RenewOperation.confirm(engine, record)).runUninterruptibly();
            } catch (LeaseholdException e) {
                LOG.debug("the lease of lock {} was not confirmed", record.key, e);
            }
        }
        if (!confirmed && !valid(engine, record)) {
            throw notHeld(engine, record);
        }
    }

    /** Why a lease cannot be relied on. */
    static RuntimeException notHeld(Engine engine, LeaseRecord record) {
        LossEvent loss = record.notice().event();
        if (loss != null) {
            return LockMessages.lost(record.key, record.owner(), loss);
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
                record.key.name(), record.owner().name(), record.token(), LossCause.ENDED, held, "released", true);
        return LockMessages.released(record.key, record.owner(), released);
    }

    /** What extends the lease; null if it is lost. */
    static @Nullable RenewOperation extension(Engine engine, LeaseRecord record, Duration time) {
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
            case HELD, UNCONFIRMED, SUSPECT -> RenewOperation.extendTo(engine, record, now + rest + time.toNanos());
            case LOST -> null;
            case ACQUIRING, UNKNOWN, RELEASING, RELEASED ->
                throw new IllegalStateException("the lease of lock " + record.key.shown()
                        + " was released and cannot be extended. Acquire the lock again");
        };
    }
}
