package dev.leasehold.internal.request;

import dev.leasehold.spi.TimeSource;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Whether the client is open, what closing it ends, and which requests it still waits for. Safe for use by any thread. */
public final class Lifecycle {

    private final ParkedThreads parked;
    private final Set<Closeable> running = ConcurrentHashMap.newKeySet();
    private final AtomicLong numbers = new AtomicLong();
    private final Set<Object> unanswered = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** An asynchronous operation that ends with the client. */
    interface Closeable {

        /** Its rank in the order in which operations began. */
        long number();

        /** Ends it, whatever is in flight. */
        void clientClosed();
    }

    public Lifecycle(TimeSource time) {
        this.parked = new ParkedThreads(time);
    }

    boolean closed() {
        return closed;
    }

    /** Throws once the client is closed. */
    public void ensureOpen() {
        if (closed) {
            throw closedException();
        }
    }

    public static IllegalStateException closedException() {
        return new IllegalStateException(
                "this Leasehold client is closed: use another, or close it only when the application ends");
    }

    /** Refuses new operations, and ends those that wait, in the order in which they began. */
    public void close() {
        closed = true;
        parked.wakeAll();
        running.stream().sorted(Comparator.comparingLong(Closeable::number)).forEach(Closeable::clientClosed);
    }

    /** Threads that pause between two tries. */
    ParkedThreads parked() {
        return parked;
    }

    long nextNumber() {
        return numbers.incrementAndGet();
    }

    void add(Closeable operation) {
        running.add(operation);
    }

    void remove(Closeable operation) {
        running.remove(operation);
    }

    /** How many asynchronous operations would end with the client now. */
    int running() {
        return running.size();
    }

    /** Requests that give something back and that Redis has not answered yet; a client that closes waits for them. */
    public Set<Object> unanswered() {
        return unanswered;
    }
}
