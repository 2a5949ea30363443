package dev.leasehold.internal.dispatch;

import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LockTracer;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells listeners, on the callback executor and never under a lock. What they throw is logged. */
public final class EventDispatcher {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.events");

    private final List<LeaseholdListener> listeners;
    private final List<LockTracer> tracers;
    private final Executor executor;

    public EventDispatcher(List<LeaseholdListener> listeners, Executor executor) {
        this.listeners = listeners;
        this.tracers = listeners.stream()
                .filter(LockTracer.class::isInstance)
                .map(LockTracer.class::cast)
                .toList();
        this.executor = executor;
    }

    /** Whether it is worth making an event. */
    public boolean hasListeners() {
        return !listeners.isEmpty();
    }

    /** Who follows an acquisition that begins on this thread; null if nobody does. */
    @Nullable
    public TraceDispatcher trace(String lockName) {
        return tracers.isEmpty() ? null : TraceDispatcher.begin(this, tracers, tracer -> tracer.begins(lockName));
    }

    /** The same of an acquisition of several locks. */
    @Nullable
    public TraceDispatcher trace(List<String> lockNames) {
        return tracers.isEmpty() ? null : TraceDispatcher.begin(this, tracers, tracer -> tracer.begins(lockNames));
    }

    public void publish(Consumer<LeaseholdListener> event) {
        for (LeaseholdListener listener : listeners) {
            run(() -> event.accept(listener));
        }
    }

    public <E> void notifyEach(List<Consumer<E>> listeners, E event) {
        for (Consumer<E> listener : listeners) {
            run(() -> listener.accept(event));
        }
    }

    public void run(Runnable task) {
        try {
            executor.execute(() -> guarded(task));
        } catch (RejectedExecutionException e) {
            LOG.warn("an event was not delivered: the event executor refused it", e);
        }
    }

    @SuppressWarnings("CatchAndPrintStackTrace")
    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("a listener threw; nothing else is affected", e);
        }
    }
}
