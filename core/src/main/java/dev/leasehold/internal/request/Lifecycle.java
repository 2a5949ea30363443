package dev.leasehold.internal.request;

import dev.leasehold.spi.TimeSource;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The open or closed state of a client, the operations that closing it ends, and the requests it still waits for. Thread-safe. */
public final class Lifecycle {

    private final ParkedThreads parked;
    private final Set<Closeable> running = ConcurrentHashMap.newKeySet();
    private final AtomicLong ranks = new AtomicLong();
    private final Set<Object> unanswered = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** An asynchronous operation that ends with the client. */
    interface Closeable {

        /** The position of this operation in the order in which operations began. */
        long rank();

        /** Ends the operation, even with a request in flight. */
        void clientClosed();
    }

    public Lifecycle(TimeSource time) {
        this.parked = new ParkedThreads(time);
    }

    boolean closed() {
        return closed;
    }

    /** Throws {@link #closedException} once the client is closed. */
    public void ensureOpen() {
        if (closed) {
            throw closedException();
        }
    }

    public static IllegalStateException closedException() {
        return new IllegalStateException(
                "this Leasehold client is closed: use another, or close it only when the application ends");
    }

    /** Refuses new operations, and ends waiting operations in the order in which they began. */
    public void close() {
        closed = true;
        parked.wakeAll();
        running.stream().sorted(Comparator.comparingLong(Closeable::rank)).forEach(Closeable::clientClosed);
    }

    /** The threads that pause between two tries. */
    ParkedThreads parked() {
        return parked;
    }

    long nextRank() {
        return ranks.incrementAndGet();
    }

    void add(Closeable operation) {
        running.add(operation);
    }

    void remove(Closeable operation) {
        running.remove(operation);
    }

    /** The number of asynchronous operations that closing the client would end now. */
    int running() {
        return running.size();
    }

    /** The releasing requests that Redis has not answered yet; a client that closes waits for them. */
    public Set<Object> unanswered() {
        return unanswered;
    }
}
