package dev.leasehold.internal.dispatch;

import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LockTracer;
import dev.leasehold.internal.key.LockKey;
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

    private final List<Subscriber> subscribers;
    private final List<Tracer> tracers;
    private final Executor executor;

    private record Subscriber(LeaseholdListener listener, ListenerQueue queue) {}

    /** A tracer, which receives its events in the same queue as any listener. */
    record Tracer(LockTracer tracer, ListenerQueue queue) {}

    public EventDispatcher(List<LeaseholdListener> listeners, Executor executor) {
        this.executor = executor;
        this.subscribers = listeners.stream()
                .map(listener -> new Subscriber(
                        listener, new ListenerQueue(listener.getClass().getName(), executor)))
                .toList();
        this.tracers = subscribers.stream()
                .filter(each -> each.listener instanceof LockTracer)
                .map(each -> new Tracer((LockTracer) each.listener, each.queue))
                .toList();
    }

    /** Returns whether there are listeners; without one, no event need be created. */
    public boolean hasListeners() {
        return !subscribers.isEmpty();
    }

    /** Begins the traces of an acquisition on this thread; null if no tracer follows it. */
    @Nullable
    public TraceDispatcher trace(LockKey lock) {
        if (tracers.isEmpty()) {
            return null;
        }
        String name = lock.name();
        return TraceDispatcher.begin(tracers, tracer -> tracer.begins(name));
    }

    /** Begins the traces of an acquisition of several locks on this thread; null if no tracer follows it. */
    @Nullable
    public TraceDispatcher trace(List<LockKey> locks) {
        if (tracers.isEmpty()) {
            return null;
        }
        List<String> names = locks.stream().map(LockKey::name).toList();
        return TraceDispatcher.begin(tracers, tracer -> tracer.begins(names));
    }

    /** Notifies all listeners of the client, except those that are far behind. */
    public void publish(Consumer<LeaseholdListener> event) {
        for (Subscriber each : subscribers) {
            each.queue.offer(() -> event.accept(each.listener));
        }
    }

    /** The same for the start of a lease, a wait or a retention: of a listener that does not receive it, {@link #end} is kept, too. */
    public void start(Object subject, Consumer<LeaseholdListener> event) {
        for (Subscriber each : subscribers) {
            each.queue.start(subject, () -> event.accept(each.listener));
        }
    }

    /** Notifies the listeners that have received the start. */
    public void end(Object subject, Consumer<LeaseholdListener> event) {
        for (Subscriber each : subscribers) {
            each.queue.end(subject, () -> event.accept(each.listener));
        }
    }

    /** Notifies all listeners of the loss of a lease, those without its start of that first. */
    public void loss(Object subject, Consumer<LeaseholdListener> event) {
        for (Subscriber each : subscribers) {
            each.queue.loss(subject, () -> event.accept(each.listener));
        }
    }

    /** Notifies of a start that was left out: its end may have been reported before it. */
    public void startAfterEnd(Object subject) {
        subscribers.forEach(each -> each.queue.queueStart(subject));
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
