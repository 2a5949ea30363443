package dev.leasehold.internal.dispatch;

import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.ExportedEvent;
import dev.leasehold.event.LockTrace;
import dev.leasehold.event.LockTracer;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.event.WaitOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Those who follow one acquisition and its lease. Other listeners may hear two events at once; these hear one after another. */
public final class TraceDispatcher implements LeaseObserver {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.events");

    private final EventDispatcher events;
    private final List<LockTrace> traces;
    private final @Nullable String label;
    private final Queue<Consumer<LockTrace>> untold = new ConcurrentLinkedQueue<>();
    private final AtomicInteger number = new AtomicInteger();
    private final AtomicBoolean ended = new AtomicBoolean();

    private TraceDispatcher(EventDispatcher events, List<LockTrace> traces) {
        this.events = events;
        this.traces = traces;
        this.label = firstLabel(traces);
    }

    /** Asks the tracers on this thread; null if none of them wants to follow. */
    static @Nullable TraceDispatcher begin(
            EventDispatcher events, List<LockTracer> tracers, Function<LockTracer, @Nullable LockTrace> beginning) {
        List<LockTrace> traces = new ArrayList<>(tracers.size());
        for (LockTracer tracer : tracers) {
            try {
                LockTrace trace = beginning.apply(tracer);
                if (trace != null) {
                    traces.add(trace);
                }
            } catch (RuntimeException | Error e) {
                LOG.warn("a tracer threw; the acquisition goes on without it", e);
            }
        }
        return traces.isEmpty() ? null : new TraceDispatcher(events, traces);
    }

    private static @Nullable String firstLabel(List<LockTrace> traces) {
        for (LockTrace trace : traces) {
            try {
                String label = trace.label();
                if (label != null) {
                    return label;
                }
            } catch (RuntimeException | Error e) {
                LOG.warn("a tracer threw; the acquisition goes on without its label", e);
            }
        }
        return null;
    }

    @Nullable
    public String label() {
        return label;
    }

    @Override
    public void acquired(AcquiredEvent event) {
        tell(trace -> trace.acquired(event));
    }

    /** It is over without a lease. */
    public void notAcquired(WaitOutcome outcome, @Nullable RuntimeException failure) {
        tellEnd(trace -> trace.notAcquired(outcome, failure));
    }

    @Override
    public void released(ReleasedEvent event) {
        tellEnd(trace -> trace.released(event));
    }

    @Override
    public void lost(LossEvent event) {
        tellEnd(trace -> trace.lost(event));
    }

    @Override
    public void exported(ExportedEvent event) {
        tellEnd(trace -> trace.exported(event));
    }

    private void tell(Consumer<LockTrace> event) {
        untold.add(event);
        // Whoever finds it empty tells what comes until it is empty again: the executor may have many threads.
        if (number.getAndIncrement() == 0) {
            events.run(this::tellAll);
        }
    }

    /** Tells of the end, once: a release without an answer may be found to be a loss. */
    private void tellEnd(Consumer<LockTrace> event) {
        if (ended.compareAndSet(false, true)) {
            tell(event);
        }
    }

    private void tellAll() {
        do {
            Consumer<LockTrace> event = untold.poll();
            for (LockTrace trace : traces) {
                guarded(event, trace);
            }
        } while (number.decrementAndGet() > 0);
    }

    private static void guarded(@Nullable Consumer<LockTrace> event, LockTrace trace) {
        try {
            if (event != null) {
                event.accept(trace);
            }
        } catch (RuntimeException | Error e) {
            LOG.warn("a tracer threw; nothing else is affected", e);
        }
    }
}
