package dev.leasehold.micrometer;

import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.BusyEvent;
import dev.leasehold.event.ExportedEvent;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.event.RenewedEvent;
import dev.leasehold.event.WaitEndedEvent;
import dev.leasehold.event.WaitingEvent;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The figures of one client, from its events. Given to the client as a listener:
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
 * <tr><th>name</th><th>kind</th><th>what it is</th></tr>
 * <tr><td>{@code leasehold.wait}</td><td>timer</td><td>waits, from the moment a lock was found held; by {@code outcome}:
 *     acquired, busy, failed (no answer, refused, or the client was closed) or abandoned (interrupted, cancelled)</td></tr>
 * <tr><td>{@code leasehold.hold}</td><td>timer</td><td>leases, from the grant to their end; by {@code outcome}: released or
 *     lost</td></tr>
 * <tr><td>{@code leasehold.renewal.lag}</td><td>timer</td><td>from the moment a renewal was due to the answer that confirmed
 *     it</td></tr>
 * <tr><td>{@code leasehold.held}</td><td>gauge</td><td>leases that are held</td></tr>
 * <tr><td>{@code leasehold.waiting}</td><td>gauge</td><td>acquisitions that wait</td></tr>
 * <tr><td>{@code leasehold.acquired}</td><td>counter</td><td>leases granted</td></tr>
 * <tr><td>{@code leasehold.busy}</td><td>counter</td><td>acquisitions given up because others held the lock</td></tr>
 * <tr><td>{@code leasehold.lost}</td><td>counter</td><td>leases lost; by {@code cause}, as
 *     {@link dev.leasehold.event.LossCause}</td></tr>
 * <tr><td>{@code leasehold.handoffs}</td><td>counter</td><td>leases that another one of the same process passed on, without
 *     asking Redis; they count as acquired too</td></tr>
 * </table>
 *
 * <p>Without lock names all meters are there from the beginning, at 0. Safe for use by any thread; it asks nobody, so that it
 * counts on while Redis does not answer. Events are told by the client's event executor, so a figure may be a moment late. A
 * lease that was exported and then closed is held here no more, and neither timed nor counted as released: its hold goes on.
 */
public final class LeaseholdMetrics implements LeaseholdListener {

    private static final String NO_NAME = "";

    private final MeterRegistry registry;
    private final Tags tags;
    private final boolean lockNames;
    private final Map<String, LockMeters> meters = new ConcurrentHashMap<>();

    private LeaseholdMetrics(MeterRegistry registry, Tags tags, boolean lockNames) {
        this.registry = registry;
        this.tags = tags;
        this.lockNames = lockNames;
        if (!lockNames) {
            meters.put(NO_NAME, new LockMeters(registry, tags));
        }
    }

    /**
     * Figures of all locks together.
     *
     * @param registry where the meters are registered
     * @return a listener for one client
     */
    public static LeaseholdMetrics of(MeterRegistry registry) {
        return new LeaseholdMetrics(registry, Tags.empty(), false);
    }

    /**
     * The same with tags of its own: of two clients with one registry each needs some, or their gauges are those of the first.
     *
     * @param registry where the meters are registered
     * @param tags the tags of all meters
     * @return a listener for one client
     */
    public static LeaseholdMetrics of(MeterRegistry registry, Iterable<Tag> tags) {
        return new LeaseholdMetrics(registry, Tags.of(tags), false);
    }

    /**
     * Figures of each lock by itself: every meter has the tag {@code lock}. Only for applications with few names, for every
     * name that was ever used keeps some fifteen meters for good, here and wherever they are stored. In the tag control and
     * format characters are {@code ?}, and a name longer than 100 characters is cut.
     *
     * @param registry where the meters are registered
     * @param tags further tags of all meters
     * @return a listener for one client
     */
    public static LeaseholdMetrics byLock(MeterRegistry registry, Iterable<Tag> tags) {
        return new LeaseholdMetrics(registry, Tags.of(tags), true);
    }

    private LockMeters of(String lockName) {
        String name = lockNames ? TagText.of(lockName) : NO_NAME;
        LockMeters there = meters.get(name);
        return there != null
                ? there
                : meters.computeIfAbsent(name, lock -> new LockMeters(registry, tags.and("lock", lock)));
    }

    @Override
    public void acquired(AcquiredEvent event) {
        of(event.lockName()).acquired(event.handedOn());
    }

    @Override
    public void busy(BusyEvent event) {
        of(event.lockName()).busy();
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
    public void released(ReleasedEvent event) {
        of(event.lockName()).released(event.held());
    }

    @Override
    public void exported(ExportedEvent event) {
        of(event.lockName()).exported();
    }

    @Override
    public void lost(LossEvent event) {
        of(event.lockName()).lost(event);
    }
}
