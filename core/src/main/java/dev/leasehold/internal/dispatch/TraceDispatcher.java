package dev.leasehold.internal.dispatch;

import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.ExportedEvent;
import dev.leasehold.event.LockTrace;
import dev.leasehold.event.LockTracer;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.event.WaitOutcome;
import dev.leasehold.internal.dispatch.EventDispatcher.Tracer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The traces of one acquisition and its lease. A trace receives its events in order, in the queue of its tracer. */
public final class TraceDispatcher implements LeaseObserver {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.events");

    private final List<Begun> traces;
    private final @Nullable String label;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** A trace, and the queue of its tracer. */
    private record Begun(LockTrace trace, ListenerQueue queue) {}

    private TraceDispatcher(List<Begun> traces) {
        this.traces = traces;
        this.label = firstLabel(traces);
    }

    /**
     * Calls the tracers on this thread, except those that are far behind with their events; returns null if none of them begins a
     * trace.
     */
    static @Nullable TraceDispatcher begin(List<Tracer> tracers, Function<LockTracer, @Nullable LockTrace> beginning) {
        List<Begun> traces = new ArrayList<>(tracers.size());
        for (Tracer each : tracers) {
            LockTrace trace = each.queue().hasRoom() ? begin(each.tracer(), beginning) : null;
            if (trace != null) {
                traces.add(new Begun(trace, each.queue()));
            }
        }
        return traces.isEmpty() ? null : new TraceDispatcher(traces);
    }

    private static @Nullable LockTrace begin(LockTracer tracer, Function<LockTracer, @Nullable LockTrace> beginning) {
        try {
            return beginning.apply(tracer);
        } catch (RuntimeException | Error e) {
            LOG.warn("a tracer threw an exception; the acquisition continues without it", e);
            return null;
        }
    }

    private static @Nullable String firstLabel(List<Begun> traces) {
        for (Begun each : traces) {
            try {
                String label = each.trace.label();
                if (label != null) {
                    return label;
                }
            } catch (RuntimeException | Error e) {
                LOG.warn("a tracer threw an exception; the acquisition continues without its label", e);
            }
        }
        return null;
    }

    /** The label that the first trace with a label gives the acquisition; null if none does. */
    @Nullable
    public String label() {
        return label;
    }

    @Override
    public void acquired(AcquiredEvent event) {
        deliver(trace -> trace.acquired(event));
    }

    /** The acquisition ended without a lease. */
    public void notAcquired(WaitOutcome outcome, @Nullable RuntimeException failure) {
        deliverEnd(trace -> trace.notAcquired(outcome, failure));
    }

    @Override
    public void released(ReleasedEvent event) {
        deliverEnd(trace -> trace.released(event));
    }

    @Override
    public void lost(LossEvent event) {
        deliverEnd(trace -> trace.lost(event));
    }

    @Override
    public void exported(ExportedEvent event) {
        deliverEnd(trace -> trace.exported(event));
    }

    private void deliver(Consumer<LockTrace> event) {
        traces.forEach(each -> each.queue.add(() -> event.accept(each.trace)));
    }

    /** Delivers the end, once: a release without an answer may turn out to be a loss. */
    private void deliverEnd(Consumer<LockTrace> event) {
        if (ended.compareAndSet(false, true)) {
            deliver(event);
        }
    }
}
