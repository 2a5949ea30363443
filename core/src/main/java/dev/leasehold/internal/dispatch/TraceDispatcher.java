package dev.leasehold.internal.dispatch;

import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.ExportedEvent;
import dev.leasehold.event.LockTrace;
import dev.leasehold.event.LockTracer;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.event.WaitOutcome;
import dev.leasehold.internal.concurrent.SerialExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The traces of one acquisition and its lease. Other listeners may receive events concurrently; a trace receives them in order. */
public final class TraceDispatcher implements LeaseObserver {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.events");

    private final SerialExecutor deliveries;
    private final List<LockTrace> traces;
    private final @Nullable String label;
    private final AtomicBoolean ended = new AtomicBoolean();

    private TraceDispatcher(EventDispatcher dispatcher, List<LockTrace> traces) {
        this.deliveries = new SerialExecutor(dispatcher::run);
        this.traces = traces;
        this.label = firstLabel(traces);
    }

    /** Calls the tracers on this thread; returns null if none of them begins a trace. */
    static @Nullable TraceDispatcher begin(
            EventDispatcher dispatcher, List<LockTracer> tracers, Function<LockTracer, @Nullable LockTrace> beginning) {
        List<LockTrace> traces = new ArrayList<>(tracers.size());
        for (LockTracer tracer : tracers) {
            try {
                LockTrace trace = beginning.apply(tracer);
                if (trace != null) {
                    traces.add(trace);
                }
            } catch (RuntimeException | Error e) {
                LOG.warn("a tracer threw an exception; the acquisition continues without it", e);
            }
        }
        return traces.isEmpty() ? null : new TraceDispatcher(dispatcher, traces);
    }

    private static @Nullable String firstLabel(List<LockTrace> traces) {
        for (LockTrace trace : traces) {
            try {
                String label = trace.label();
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
        deliveries.execute(() -> traces.forEach(trace -> guarded(event, trace)));
    }

    /** Delivers the end, once: a release without an answer may turn out to be a loss. */
    private void deliverEnd(Consumer<LockTrace> event) {
        if (ended.compareAndSet(false, true)) {
            deliver(event);
        }
    }

    private static void guarded(Consumer<LockTrace> event, LockTrace trace) {
        try {
            event.accept(trace);
        } catch (RuntimeException | Error e) {
            LOG.warn("a tracer threw an exception; nothing else is affected", e);
        }
    }
}
