package dev.leasehold.internal.lease;

import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.ExportedEvent;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.internal.dispatch.LeaseObserver;
import dev.leasehold.internal.dispatch.TraceDispatcher;
import dev.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Follows the leases of a bundle, which are one to their holder: the first loss ends it, and so does the release of the last. A
 * bundle does so by its leases because a client that is closed gives back each by itself.
 */
public final class BundleTrace implements LeaseObserver {

    private final TimeSource time;
    private final TraceDispatcher trail;
    private final AcquiredEvent acquired;
    private final long since;
    private final Set<String> held = ConcurrentHashMap.newKeySet();
    private volatile boolean confirmed = true;

    private BundleTrace(TimeSource time, TraceDispatcher trail, AcquiredEvent acquired) {
        this.time = time;
        this.trail = trail;
        this.acquired = acquired;
        this.since = time.nanoTime();
    }

    /** Tells that all are there, and from here on of their end. */
    public static void follow(
            TimeSource time, TraceDispatcher trail, List<LeaseRecord> records, Duration waited, int requests) {
        String names = records.stream().map(record -> record.key().name()).collect(Collectors.joining(", "));
        AcquiredEvent acquired = new AcquiredEvent(names, records.get(0).owner().name(), 0, waited, requests, false);
        BundleTrace joint = new BundleTrace(time, trail, acquired);
        records.forEach(record -> joint.held.add(record.key().name()));
        trail.acquired(acquired);
        records.forEach(record -> record.observedBy(joint));
        // What has ended by now told nobody.
        for (LeaseRecord record : records) {
            LossEvent loss = record.notice().event();
            if (record.wasReportedReleased()) {
                joint.released(record.key().name(), false);
            } else if (loss != null) {
                joint.lost(loss);
            }
        }
    }

    @Override
    public void acquired(AcquiredEvent event) {
        // All of them have been told.
    }

    @Override
    public void released(ReleasedEvent event) {
        released(event.lockName(), event.confirmed());
    }

    private void released(String name, boolean byRedis) {
        if (!byRedis) {
            confirmed = false;
        }
        if (held.remove(name) && held.isEmpty()) {
            Duration heldFor = Duration.ofNanos(time.nanoTime() - since);
            trail.released(new ReleasedEvent(acquired.lockName(), acquired.owner(), heldFor, confirmed));
        }
    }

    @Override
    public void lost(LossEvent event) {
        trail.lost(event);
    }

    @Override
    public void exported(ExportedEvent event) {
        throw new IllegalStateException("a lease of several locks cannot be exported");
    }
}
