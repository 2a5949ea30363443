package dev.leasehold.internal.waitgraph;

import dev.leasehold.inspect.Deadlock;
import dev.leasehold.inspect.LockWait;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for deadlocks on which waits of this client depend, as long as one of them is older than a limit, and reports each once. Safe
 * for use by any thread.
 */
public final class DeadlockWatch {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.waitgraph");

    private final LocalWaits local;
    private final WaitGraphReader reader;
    private final LeaseEvents events;
    private final Timer timer;
    private final long periodNanos;
    private final BooleanSupplier closed;

    /** What was reported and still exists; changed by checks only, of which one runs at a time. */
    private volatile Set<Set<LockWait>> reported = Set.of();

    /** Creates one that is not started; it ends when the client is closed. */
    public DeadlockWatch(
            LocalWaits local,
            WaitGraphReader reader,
            LeaseEvents events,
            Timer timer,
            Duration period,
            BooleanSupplier closed) {
        this.local = local;
        this.reader = reader;
        this.events = events;
        this.timer = timer;
        this.periodNanos = period.toNanos();
        this.closed = closed;
    }

    /** Begins: the next look is due after the period. */
    public void start() {
        Timer.Timeout unused = timer.schedule(() -> events.run(this::check), periodNanos);
    }

    private void check() {
        if (closed.getAsBoolean()) {
            return;
        }
        try {
            report(local.waitsSince(periodNanos) ? reader.deadlocksOf(local.process()) : List.of());
        } catch (RuntimeException e) {
            // The next look may succeed; waiting goes on in any case.
            LOG.debug("no look for deadlocks: {}", RequestFailures.reason(e));
        } finally {
            start();
        }
    }

    private void report(List<Deadlock> found) {
        Set<Set<LockWait>> existing = new HashSet<>();
        for (Deadlock deadlock : found) {
            Set<LockWait> waits =
                    deadlock.cycle().stream().map(DeadlockWatch::withoutTime).collect(Collectors.toSet());
            if (deadlock.certain() && existing.add(waits) && !reported.contains(waits)) {
                LOG.warn("a deadlock: {}", DeadlockText.of(deadlock));
                events.deadlock(deadlock);
            }
        }
        reported = existing;
    }

    /** The times of two looks differ by their reading. */
    private static LockWait withoutTime(LockWait wait) {
        return new LockWait(wait.lock(), wait.wants(), wait.waiter(), null, List.of());
    }
}
