package dev.leasehold.internal.renew;

import dev.leasehold.LeaseholdException;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseValidity;
import dev.leasehold.internal.request.Drivers;
import dev.leasehold.internal.request.RequestContext;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Confirms or extends a lease on behalf of its holder. */
public final class LeaseExtensions {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");

    private final RequestContext context;
    private final Drivers drivers;
    private final LeaseValidity validity;
    private final RenewalJudge judge;

    public LeaseExtensions(RequestContext context, Drivers drivers, LeaseValidity validity, RenewalJudge judge) {
        this.context = context;
        this.drivers = drivers;
        this.validity = validity;
        this.judge = judge;
    }

    /** Throws unless the lease is valid; if the local clocks leave that in doubt, Redis has to confirm it. */
    public void ensureHeld(LeaseRecord record) {
        if (validity.valid(record)) {
            return;
        }
        boolean confirmed = false;
        if (record.holding()) {
            try {
                confirmed = drivers.runUninterruptibly(RenewOperation.confirm(context, validity, judge, record));
            } catch (LeaseholdException e) {
                LOG.debug("the lease of lock {} was not confirmed", record.key(), e);
            }
        }
        if (!confirmed && !validity.valid(record)) {
            throw validity.notHeld(record);
        }
    }

    /**
     * Renews a lease if its renewal is overdue, as that of a hold which was retained until now, so that it lasts for most of its lease
     * time.
     *
     * @throws LeaseholdException if Redis did not confirm it
     */
    public void renewIfOverdue(LeaseRecord record) {
        if (record.renews() && isOverdue(record)) {
            long end = context.now() + record.leaseNanos();
            boolean unused = drivers.runUninterruptibly(RenewOperation.extendTo(context, validity, judge, record, end));
        }
    }

    /** Returns whether less is left of a lease than when its renewal is due. */
    public boolean isOverdue(LeaseRecord record) {
        return RenewalSchedule.overdue(
                context.now(),
                record.end(context.surplus()),
                record.leaseNanos(),
                record.renewal().ratio());
    }

    /** Returns the operation that extends the lease; null if it is lost. */
    @Nullable
    public RenewOperation extension(LeaseRecord record, Duration time) {
        if (Objects.requireNonNull(time, "time").isZero() || time.isNegative()) {
            throw new IllegalArgumentException("extension " + time + " of "
                    + record.key().inWords() + " must be positive. It is added to the remaining time of the lease");
        }
        long now = context.now();
        long max = context.limits().maxLeaseTime().toNanos();
        long remaining = Math.max(0, record.end(context.surplus()) - now);
        if (time.compareTo(Duration.ofNanos(Math.max(0, max - remaining))) > 0) {
            throw new IllegalArgumentException(
                    "extension " + time + " of " + record.key().inWords()
                            + " would make the lease longer than the client's maximum of "
                            + context.limits().maxLeaseTime() + ". Extend by less, or raise maxLeaseTime(...)");
        }
        validity.valid(record);
        return switch (record.state()) {
            case HELD, UNCONFIRMED, SUSPECT ->
                RenewOperation.extendTo(context, validity, judge, record, now + remaining + time.toNanos());
            case LOST -> null;
            case ACQUIRING, UNKNOWN, RELEASING, RELEASED ->
                throw new IllegalStateException("the lease of " + record.key().inWords()
                        + " was released and cannot be extended. Acquire the lock again");
        };
    }
}
