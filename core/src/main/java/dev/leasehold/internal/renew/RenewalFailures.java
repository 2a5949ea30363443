package dev.leasehold.internal.renew;

import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.time.TimeText;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of renewals that were not confirmed, while there is still time to act: listeners of each, and the log once when an outage
 * begins and once when a lease that it affected is confirmed again. Safe for use by any thread.
 */
final class RenewalFailures {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");

    /**
     * After that long without a failure, the next one is another outage; and after a confirmation, so long after the last one was
     * reported.
     */
    private static final long QUIET_NANOS = 60_000_000_000L;

    private final RequestContext context;
    private final LeaseEvents events;
    private final AtomicReference<@Nullable Outage> outage = new AtomicReference<>();

    /**
     * An outage of renewals.
     *
     * @param since when its first failure was reported
     * @param latest when its last one was
     * @param over whether a lease was confirmed again
     */
    private record Outage(long since, long latest, boolean over) {}

    RenewalFailures(RequestContext context, LeaseEvents events) {
        this.context = context;
        this.events = events;
    }

    /** A renewal failed, and is tried again. */
    void failed(LeaseRecord record, Throwable failure) {
        long now = context.now();
        long left = record.validUntil(context.surplus()) - now;
        events.renewalFailed(record, failure, left);
        Outage before = outage.get();
        boolean begins = before == null
                || now - before.latest >= QUIET_NANOS
                || (before.over && now - before.since >= QUIET_NANOS);
        Outage next =
                before == null || begins ? new Outage(now, now, false) : new Outage(before.since, now, before.over);
        if (outage.compareAndSet(before, next) && begins) {
            LOG.warn(
                    "a renewal of lock {} was not confirmed: {}. It is tried again until its lease is lost, in {}; other leases"
                            + " may be concerned, too. Level DEBUG names each",
                    record.key(),
                    RequestFailures.reason(failure),
                    TimeText.of(Duration.ofNanos(Math.max(0, left))));
        } else {
            LOG.debug(
                    "a renewal of lock {} was not confirmed and is tried again: {}",
                    record.key(),
                    RequestFailures.reason(failure));
        }
    }

    /** A lease was confirmed whose last renewal had failed. */
    void confirmedAgain(LeaseRecord record) {
        Outage last = outage.get();
        if (last != null && !last.over && outage.compareAndSet(last, new Outage(last.since, last.latest, true))) {
            LOG.info(
                    "renewals are confirmed again, after {}: first of lock {}",
                    TimeText.of(Duration.ofNanos(context.now() - last.since)),
                    record.key());
        }
    }
}
