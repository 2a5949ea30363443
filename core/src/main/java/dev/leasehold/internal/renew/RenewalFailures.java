package dev.leasehold.internal.renew;

import dev.leasehold.event.FailureReason;
import dev.leasehold.internal.dispatch.Outages;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.request.FailureReasons;
import dev.leasehold.internal.request.RefusalAdvice;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.time.TimeText;
import java.time.Duration;
import java.util.EnumSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of renewals that were not confirmed, while there is still time to act: listeners of each, and the log once when an outage
 * begins and once when a lease that it affected is confirmed again. Safe for use by any thread.
 */
final class RenewalFailures {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");

    private final RequestContext context;
    private final LeaseEvents events;
    private final Outages outages = new Outages();

    RenewalFailures(RequestContext context, LeaseEvents events) {
        this.context = context;
        this.events = events;
    }

    /** A renewal failed, and is tried again. */
    void failed(LeaseRecord record, Throwable failure) {
        long now = context.now();
        long left = record.validUntil(context.surplus()) - now;
        events.renewalFailed(record, failure, left);
        if (outages.failed(FailureReasons.of(failure), now)) {
            LOG.warn(
                    "a renewal of lock {} was not confirmed: {}. It is tried again until its lease is lost, in {}; other leases"
                            + " may be concerned, too. Level DEBUG names each",
                    record.key(),
                    RefusalAdvice.explain(failure),
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
        outages.succeeded(EnumSet.allOf(FailureReason.class))
                .ifPresent(over -> LOG.info(
                        "renewals are confirmed again, after {}: first of lock {}",
                        TimeText.of(Duration.ofNanos(context.now() - over.since())),
                        record.key()));
    }
}
