package dev.leasehold.internal.dispatch;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events for one listener, which receives them one after another, in their order, on the event executor. So a listener that blocks
 * occupies one thread, and its queue is bounded: while {@value #MOST} events are queued, further ones are left out, and the log says so.
 *
 * <p>Two rules keep a listener right that counts leases by their starts and ends. The start of a lease is left out together with its
 * end, so an end whose start was delivered is always queued: of these there are no more than leases. And a loss is always queued,
 * after the start of its lease, up to a number that stands for a listener that will never return. Safe for use by any thread.
 */
final class ListenerQueue {

    static final int MOST = 10_000;
    static final int MOST_LOSSES = 1_000_000;

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.events");

    /** After so many events, other tasks of the executor have their turn. */
    private static final int TURN = 64;

    private final String listener;
    private final Executor executor;
    private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    /** The starts that were left out, by what has started; until its end. */
    private final Map<Object, Runnable> startsLeftOut = new ConcurrentHashMap<>();

    private final AtomicBoolean behind = new AtomicBoolean();
    private final AtomicLong leftOut = new AtomicLong();

    /**
     * An empty queue.
     *
     * @param listener its name, for the log
     */
    ListenerQueue(String listener, Executor executor) {
        this.listener = listener;
        this.executor = executor;
    }

    /** Queues an event, or leaves it out. */
    void offer(Runnable event) {
        if (hasRoom()) {
            add(event);
        }
    }

    /** Queues the start of a lease, a wait or a retention, or leaves it out; then its {@link #end} is left out, too. */
    void start(Object subject, Runnable event) {
        if (!hasRoom()) {
            startsLeftOut.put(subject, event);
        } else {
            add(event);
        }
    }

    /** Queues the end of what has started, unless its start was left out. */
    void end(Object subject, Runnable event) {
        if (takeStart(subject) == null) {
            add(event);
        } else {
            leftOut.incrementAndGet();
        }
    }

    /** Queues the loss of a lease, and before it the start, if that was left out. */
    void loss(Object subject, Runnable event) {
        if (size.get() < MOST_LOSSES) {
            queueStart(subject);
            add(event);
        } else {
            Runnable unused = takeStart(subject);
            leftOut.incrementAndGet();
        }
    }

    /** Queues a start that was left out: of a lease whose end may have been queued before. */
    void queueStart(Object subject) {
        Runnable start = takeStart(subject);
        if (start != null) {
            leftOut.decrementAndGet();
            add(start);
        }
    }

    /** Queues an event that follows one for which there was room. */
    void add(Runnable event) {
        size.incrementAndGet();
        events.add(event);
        schedule();
    }

    /** Returns whether there is room for an event; if not, it is left out, and counts as such. */
    boolean hasRoom() {
        if (size.get() < MOST) {
            return true;
        }
        leftOut.incrementAndGet();
        if (behind.compareAndSet(false, true)) {
            LOG.warn(
                    "the listener {} is {} events behind: until it has received them, further events are left out,"
                            + " except losses and the ends of what was reported to it. Let its methods return sooner",
                    listener,
                    MOST);
        }
        return false;
    }

    private @Nullable Runnable takeStart(Object subject) {
        // The usual case, in which no hash of the subject is computed.
        return startsLeftOut.isEmpty() ? null : startsLeftOut.remove(subject);
    }

    int size() {
        return size.get();
    }

    private void schedule() {
        if (!scheduled.get() && scheduled.compareAndSet(false, true) && !submitted()) {
            scheduled.set(false);
        }
    }

    private boolean submitted() {
        try {
            executor.execute(this::deliver);
            return true;
        } catch (RejectedExecutionException e) {
            LOG.warn(
                    "events for {} are not delivered before the next one: the event executor refused them",
                    listener,
                    e);
            return false;
        }
    }

    private void deliver() {
        int delivered = 0;
        for (Runnable event = events.poll(); event != null; event = events.poll()) {
            size.decrementAndGet();
            deliver(event);
            delivered++;
            if (delivered % TURN == 0 && submitted()) {
                return;
            }
        }
        if (behind.compareAndSet(true, false)) {
            LOG.warn("the listener {} has caught up; {} events were left out", listener, leftOut.getAndSet(0));
        }
        scheduled.set(false);
        if (!events.isEmpty()) {
            schedule();
        }
    }

    /** A listener may also throw what it does not declare; a queue that stopped would cost all later events. */
    private static void deliver(Runnable event) {
        try {
            event.run();
        } catch (Throwable e) {
            LOG.warn("a listener threw an exception; nothing else is affected", e);
        }
    }
}
