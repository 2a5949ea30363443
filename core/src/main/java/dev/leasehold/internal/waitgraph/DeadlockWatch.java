package dev.leasehold.internal.waitgraph;

import dev.leasehold.diagnostics.Deadlock;
import dev.leasehold.diagnostics.WaitGraph;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for deadlocks on which waits of this client depend, as long as one of them is older than a limit, and reports each once. Safe
 * for use by any thread.
 */
public final class DeadlockWatch {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.waitgraph");
    private static final WaitGraph NO_WAITS = new WaitGraph(List.of(), List.of(), List.of());

    private final LocalWaits local;
    private final WaitGraphReader reader;
    private final LeaseEvents events;
    private final Timer timer;
    private final long periodNanos;
    private final BooleanSupplier closed;

    /** Used by checks only, each of which plans the next when it ends. */
    private final ReportedDeadlocks reported = new ReportedDeadlocks();

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
            WaitGraph look = local.waitsSince(periodNanos) ? reader.graphOf(local.process()) : NO_WAITS;
            reported.newIn(look).forEach(this::report);
        } catch (RuntimeException e) {
            // The next look may succeed; waiting goes on in any case.
            LOG.debug("no look for deadlocks: {}", RequestFailures.reason(e));
        } finally {
            start();
        }
    }

    private void report(Deadlock deadlock) {
        LOG.warn("a deadlock: {}", DeadlockText.of(deadlock));
        events.deadlock(deadlock);
    }
}
