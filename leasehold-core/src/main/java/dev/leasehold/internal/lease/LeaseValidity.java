package dev.leasehold.internal.lease;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.internal.request.RequestContext;
import java.time.Duration;

/** Answers whether a lease may be relied on, for how long, and why not. Asks the local clocks only, never Redis. */
public final class LeaseValidity {

    private final RequestContext context;
    private final LeaseTermination termination;

    public LeaseValidity(RequestContext context, LeaseTermination termination) {
        this.context = context;
        this.termination = termination;
    }

    /** Returns whether the lease may be relied on now; a lease whose deadline has passed is declared lost. */
    public boolean valid(LeaseRecord record) {
        long surplus = context.checkClocks();
        boolean holding = switch (record.state()) {
            case HELD, UNCONFIRMED -> !record.suspicious(surplus);
            case ACQUIRING, UNKNOWN, SUSPECT, RELEASING, RELEASED, LOST -> false;
        };
        long now = context.now();
        if (record.holding() && now - record.lossAt(surplus, context.commandNanos()) >= 0) {
            termination.expire(record);
        }
        return holding && now - record.validUntil(surplus) < 0;
    }

    /** Returns for how long the lease may be relied on; zero if it may not. */
    public Duration remaining(LeaseRecord record) {
        if (!valid(record)) {
            return Duration.ZERO;
        }
        long left = record.validUntil(context.surplus()) - context.now();
        return Duration.ofNanos(Math.max(0, left));
    }

    /** The exception that says why a lease cannot be relied on. */
    public RuntimeException notHeld(LeaseRecord record) {
        LossEvent loss = record.notice().event();
        if (loss != null) {
            return LockMessages.lost(record.key(), record.owner(), loss);
        }
        if (record.holding()) {
            return new LockUnavailableException(
                    record.key().name(),
                    true,
                    "the clocks of this machine jumped, and Redis did not confirm the lease of lock "
                            + record.key().shown() + ". Do not go on with what it guards; ask again",
                    null);
        }
        Duration held = Duration.ofNanos(context.now() - record.grantedAt());
        LossEvent released = new LossEvent(
                record.key().name(), record.owner().name(), record.token(), LossCause.ENDED, held, "released", true);
        return LockMessages.released(record.key(), record.owner(), released);
    }
}
