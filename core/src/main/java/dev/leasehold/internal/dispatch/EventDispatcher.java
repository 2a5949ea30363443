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

/** Notifies listeners on the callback executor, never under a lock. Logs the exceptions of listeners. */
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

    /** Returns whether there are listeners; without one, no event need be created. */
    public boolean hasListeners() {
        return !listeners.isEmpty();
    }

    /** Returns whether there are tracers; without one, no name need be read. */
    public boolean hasTracers() {
        return !tracers.isEmpty();
    }

    /** Begins the traces of an acquisition on this thread; null if no tracer follows it. */
    @Nullable
    public TraceDispatcher trace(String lockName) {
        return tracers.isEmpty() ? null : TraceDispatcher.begin(this, tracers, tracer -> tracer.begins(lockName));
    }

    /** Begins the traces of an acquisition of several locks on this thread; null if no tracer follows it. */
    @Nullable
    public TraceDispatcher trace(List<String> lockNames) {
        return tracers.isEmpty() ? null : TraceDispatcher.begin(this, tracers, tracer -> tracer.begins(lockNames));
    }

    /** Notifies all listeners of the client. */
    public void publish(Consumer<LeaseholdListener> event) {
        for (LeaseholdListener listener : listeners) {
            run(() -> event.accept(listener));
        }
    }

    /** Notifies the listeners of one lease. */
    public <E> void notifyEach(List<Consumer<E>> listeners, E event) {
        for (Consumer<E> listener : listeners) {
            run(() -> listener.accept(event));
        }
    }

    /** Runs a task on the callback executor. */
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
            LOG.warn("a listener threw an exception; nothing else is affected", e);
        }
    }
}
