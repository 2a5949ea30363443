package dev.leasehold.internal.lease;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.internal.request.RequestContext;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;

/** Decides whether a lease is valid, for how long, and why not. Reads the local clocks only; sends no request to Redis. */
public final class LeaseValidity {

    private final RequestContext context;
    private final LeaseTermination termination;

    public LeaseValidity(RequestContext context, LeaseTermination termination) {
        this.context = context;
        this.termination = termination;
    }

    /** Returns whether the lease is valid now; declares a lease lost whose deadline has passed. */
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

    /** Returns the time for which the lease is still valid; zero if it is not. */
    public Duration remaining(LeaseRecord record) {
        if (!valid(record)) {
            return Duration.ZERO;
        }
        long left = record.validUntil(context.surplus()) - context.now();
        return Duration.ofNanos(Math.max(0, left));
    }

    /** Returns for how long the one of these is valid that has the least left, zero or more; empty if none of them is renewed. */
    public Optional<Duration> least(Collection<LeaseRecord> records) {
        long surplus = context.surplus();
        long now = context.now();
        long least = Long.MAX_VALUE;
        for (LeaseRecord record : records) {
            if (record.holding() && record.renews()) {
                least = Math.min(least, Math.max(0, record.validUntil(surplus) - now));
            }
        }
        return least == Long.MAX_VALUE ? Optional.empty() : Optional.of(Duration.ofNanos(least));
    }

    /** Returns the exception with the reason why a lease is not valid. */
    public RuntimeException notHeld(LeaseRecord record) {
        LossEvent loss = record.notice().event();
        if (loss != null) {
            return LeaseMessages.lost(record.key(), record.owner(), loss);
        }
        if (record.holding()) {
            return new LockUnavailableException(
                    record.key().name(),
                    true,
                    "the clocks of this machine jumped, and Redis did not confirm the lease of "
                            + record.key().inWords() + ". Do not continue with the work that it guards; call again",
                    null);
        }
        Duration held = Duration.ofNanos(context.now() - record.grantedAt());
        LossEvent released = new LossEvent(
                record.key().name(), record.owner().name(), record.token(), LossCause.ENDED, held, "released", true);
        return LeaseMessages.released(record.key(), record.owner(), released);
    }
}
