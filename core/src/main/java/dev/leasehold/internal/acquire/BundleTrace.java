package dev.leasehold.internal.acquire;

import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.ExportedEvent;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.internal.dispatch.LeaseObserver;
import dev.leasehold.internal.dispatch.TraceDispatcher;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Reports the leases of a bundle as one lease: it ends with the first loss, or with the release of the last lease. It observes
 * the single leases, because a client that is closed releases each of them separately.
 */
public final class BundleTrace implements LeaseObserver {

    private final TimeSource time;
    private final TraceDispatcher trace;
    private final AcquiredEvent acquired;
    private final long since;
    private final Set<String> held = ConcurrentHashMap.newKeySet();
    private volatile boolean confirmed = true;

    private BundleTrace(TimeSource time, TraceDispatcher trace, AcquiredEvent acquired) {
        this.time = time;
        this.trace = trace;
        this.acquired = acquired;
        this.since = time.nanoTime();
    }

    /** Reports the grant of all leases, and from here on their end. */
    public static void follow(
            TimeSource time, TraceDispatcher trace, List<LeaseRecord> records, Duration waited, int requests) {
        String names = records.stream().map(record -> record.key().name()).collect(Collectors.joining(", "));
        AcquiredEvent acquired =
                new AcquiredEvent(names, records.get(0).owner().name(), 0, waited, requests, false, false);
        BundleTrace joint = new BundleTrace(time, trace, acquired);
        records.forEach(record -> joint.held.add(record.key().name()));
        trace.acquired(acquired);
        records.forEach(record -> record.observedBy(joint));
        // A lease that ended before it was observed did not notify this observer.
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
        // The grant of all leases was reported by follow.
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
            trace.released(new ReleasedEvent(acquired.lockName(), acquired.owner(), heldFor, confirmed));
        }
    }

    @Override
    public void lost(LossEvent event) {
        trace.lost(event);
    }

    @Override
    public void exported(ExportedEvent event) {
        throw new IllegalStateException("a lease of several locks cannot be exported");
    }
}
