package dev.leasehold.micrometer;

import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.BusyEvent;
import dev.leasehold.event.DeadlockEvent;
import dev.leasehold.event.ExportedEvent;
import dev.leasehold.event.FailedEvent;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.event.RenewalFailedEvent;
import dev.leasehold.event.RenewedEvent;
import dev.leasehold.event.RetainedEvent;
import dev.leasehold.event.RetentionEndedEvent;
import dev.leasehold.event.WaitEndedEvent;
import dev.leasehold.event.WaitingEvent;
import dev.leasehold.inspect.Inspector;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Meters of one client, from its events. Register it with the client as a listener:
 *
 * <pre>{@code
 * Leasehold leasehold = Leasehold.builder()
 *         .uri("redis://localhost:6379")
 *         .listener(LeaseholdMetrics.of(registry))
 *         .build();
 * }</pre>
 *
 * <table>
 * <caption>The meters</caption>
 * <tr><th>name</th><th>kind</th><th>meaning</th></tr>
 * <tr><td>{@code leasehold.wait}</td><td>timer</td><td>wait times, from the first busy answer; by {@code outcome}:
 *     acquired, busy, failed (no answer, refused, or the client was closed) or abandoned (interrupted,
 *     cancelled)</td></tr>
 * <tr><td>{@code leasehold.hold}</td><td>timer</td><td>hold times, from the grant to the end; by {@code outcome}:
 *     released or lost</td></tr>
 * <tr><td>{@code leasehold.renewal.lag}</td><td>timer</td><td>time from the due time of a renewal to its
 * confirmation</td></tr>
 * <tr><td>{@code leasehold.held}</td><td>gauge</td><td>leases held now</td></tr>
 * <tr><td>{@code leasehold.waiting}</td><td>gauge</td><td>acquisitions waiting now; candidates of
 * elections do not count</td></tr>
 * <tr><td>{@code leasehold.acquired}</td><td>counter</td><td>leases granted</td></tr>
 * <tr><td>{@code leasehold.busy}</td><td>counter</td><td>acquisitions that ended without the lock because others held
 *     it</td></tr>
 * <tr><td>{@code leasehold.failed}</td><td>counter</td><td>acquisitions that failed with an exception; by {@code reason}, as
 *     {@link dev.leasehold.event.FailureReason}</td></tr>
 * <tr><td>{@code leasehold.renewal.failed}</td><td>counter</td><td>renewals that were not confirmed, at each try; by
 *     {@code reason}, too</td></tr>
 * <tr><td>{@code leasehold.lost}</td><td>counter</td><td>leases lost; by {@code cause}, as
 *     {@link dev.leasehold.event.LossCause}</td></tr>
 * <tr><td>{@code leasehold.handoffs}</td><td>counter</td><td>leases handed off within the process, without a request to
 *     Redis; they also count as acquired</td></tr>
 * <tr><td>{@code leasehold.retained}</td><td>gauge</td><td>holds that are retained now and that no lease uses
 *     ({@link dev.leasehold.LockOptions#retainFor()})</td></tr>
 * <tr><td>{@code leasehold.reused}</td><td>counter</td><td>leases that took over a retained hold, without a request to
 *     Redis; they also count as acquired and as hand-offs</td></tr>
 * <tr><td>{@code leasehold.deadlocks}</td><td>counter</td><td>deadlocks found, if the client looks for them
 *     ({@link dev.leasehold.LeaseholdBuilder#deadlockCheck}); by lock, each lock of the cycle counts it</td></tr>
 * <tr><td>{@code leasehold.validity.least}</td><td>gauge</td><td>time for which the lease is still valid that has the least
 *     left, of those that the client renews; no value while it renews none</td></tr>
 * <tr><td>{@code leasehold.dangers}</td><td>gauge</td><td>dangers that the check at connect, or
 *     {@link dev.leasehold.diagnostics.Diagnostics#findings()}, has found in the last 10 minutes</td></tr>
 * <tr><td>{@code leasehold.connections}</td><td>gauge</td><td>connections that are open now; by {@code purpose}, as
 *     {@link dev.leasehold.spi.ConnectionPurpose}</td></tr>
 * <tr><td>{@code leasehold.connections.opened}</td><td>counter</td><td>connections that have been opened, by {@code purpose};
 *     pools open theirs as callers come</td></tr>
 * <tr><td>{@code leasehold.connections.failed}</td><td>counter</td><td>attempts to open a connection that failed; by
 *     {@code purpose}</td></tr>
 * </table>
 *
 * <p>Without lock names all meters exist from the beginning, at 0. The last five have no tag {@code lock}. Thread-safe. The meters send no requests, so they
 * count on while Redis does not answer. The client's event executor delivers the events, so a value may be slightly
 * late. A lease that was exported and then closed no longer counts as held. It is neither timed nor counted as
 * released, because its hold continues.
 */
public final class LeaseholdMetrics implements LeaseholdListener {

    /** No name of a lock is empty. */
    private static final String NO_NAME = "";

    private static final int MOST_NAMES = 1_000;
    private static final String OTHER_NAMES = "(other)";

    private final MeterRegistry registry;
    private final Tags tags;
    private final boolean lockNames;
    private final Map<String, LockMeters> meters = new ConcurrentHashMap<>();
    private final ReentrantLock newNames = new ReentrantLock();
    /** The meters of all further names, once there are as many names as have meters of their own. */
    private volatile @Nullable LockMeters others;

    private LeaseholdMetrics(MeterRegistry registry, Tags tags, boolean lockNames) {
        this.registry = registry;
        this.tags = tags;
        this.lockNames = lockNames;
        if (!lockNames) {
            meters.put(NO_NAME, new LockMeters(registry, tags));
        }
    }

    /**
     * Creates meters for all locks together.
     *
     * @param registry the registry of the meters
     * @return a listener for one client
     */
    public static LeaseholdMetrics of(MeterRegistry registry) {
        return new LeaseholdMetrics(registry, Tags.empty(), false);
    }

    /**
     * Creates meters for all locks together, with additional tags. Two clients with one registry need different tags,
     * or the registry shows the gauges of the first client only.
     *
     * @param registry the registry of the meters
     * @param tags the tags of all meters
     * @return a listener for one client
     */
    public static LeaseholdMetrics of(MeterRegistry registry, Iterable<Tag> tags) {
        return new LeaseholdMetrics(registry, Tags.of(tags), false);
    }

    /**
     * Creates meters for each lock: every meter has the tag {@code lock}. Only for applications with few names: every
     * name keeps about thirty meters permanently, here and in the monitoring system. The first 1,000 names have meters
     * of their own; all others share those of the tag {@code (other)}. In the tag, control and format characters become
     * {@code ?}, and a name longer than 100 characters is truncated.
     *
     * @param registry the registry of the meters
     * @param tags further tags of all meters
     * @return a listener for one client
     */
    public static LeaseholdMetrics byLock(MeterRegistry registry, Iterable<Tag> tags) {
        return new LeaseholdMetrics(registry, Tags.of(tags), true);
    }

    private LockMeters of(String lockName) {
        String name = lockNames ? TagText.of(lockName) : NO_NAME;
        // Read first: once there are others, no name is added.
        LockMeters shared = others;
        LockMeters existing = meters.get(name);
        if (existing != null) {
            return existing;
        }
        return shared != null ? shared : ofNewName(name);
    }

    private LockMeters ofNewName(String name) {
        newNames.lock();
        try {
            LockMeters known = meters.containsKey(name) ? meters.get(name) : others;
            if (known == null) {
                boolean own = meters.size() < MOST_NAMES;
                known = new LockMeters(registry, tags.and("lock", own ? name : OTHER_NAMES));
                if (own) {
                    meters.put(name, known);
                } else {
                    others = known;
                }
            }
            return known;
        } finally {
            newNames.unlock();
        }
    }

    @Override
    public void started(Inspector inspector, Diagnostics diagnostics) {
        ClientMeters.register(registry, tags, inspector, diagnostics);
    }

    @Override
    public void acquired(AcquiredEvent event) {
        of(event.lockName()).acquired(event.handedOff());
    }

    @Override
    public void busy(BusyEvent event) {
        of(event.lockName()).busy();
    }

    @Override
    public void failed(FailedEvent event) {
        of(event.lockName()).failed(event.reason());
    }

    @Override
    public void waiting(WaitingEvent event) {
        of(event.lockName()).waiting();
    }

    @Override
    public void waitEnded(WaitEndedEvent event) {
        of(event.lockName()).waitEnded(event.outcome(), event.waited());
    }

    @Override
    public void renewed(RenewedEvent event) {
        of(event.lockName()).renewed(event.lag());
    }

    @Override
    public void renewalFailed(RenewalFailedEvent event) {
        of(event.lockName()).renewalFailed(event.reason());
    }

    @Override
    public void released(ReleasedEvent event) {
        of(event.lockName()).released(event.held());
    }

    @Override
    public void retained(RetainedEvent event) {
        of(event.lockName()).retained();
    }

    @Override
    public void retentionEnded(RetentionEndedEvent event) {
        of(event.lockName()).retentionEnded(event.outcome());
    }

    @Override
    public void exported(ExportedEvent event) {
        of(event.lockName()).exported();
    }

    @Override
    public void deadlock(DeadlockEvent event) {
        event.deadlock().cycle().stream()
                .map(wait -> of(wait.lock()))
                .distinct()
                .forEach(LockMeters::deadlock);
    }

    @Override
    public void lost(LossEvent event) {
        of(event.lockName()).lost(event);
    }
}
