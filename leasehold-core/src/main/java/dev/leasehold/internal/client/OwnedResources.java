package dev.leasehold.internal.client;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a client opened and has to close, the last first. What it was lent is not here. */
final class OwnedResources {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.client");

    private static final long IDLE_SECONDS = 5;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    void add(AutoCloseable resource) {
        opened.push(resource);
    }

    /** One thread, for renewals and compensations. */
    Executor lane(String clientName) {
        ExecutorService lane = Executors.newSingleThreadExecutor(new DefaultThreadFactory(clientName + "-lane", true));
        add(lane::shutdownNow);
        return lane;
    }

    /** One thread, on which an adapter may wait for the answers to what the lane has sent. */
    Executor batches(String clientName) {
        ExecutorService batches =
                Executors.newSingleThreadExecutor(new DefaultThreadFactory(clientName + "-batches", true));
        add(batches::shutdownNow);
        return batches;
    }

    /** As many threads as needed: a listener that blocks must not hold up another's. What a burst has made soon goes again. */
    Executor callbacks(String clientName) {
        ExecutorService callbacks = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                new DefaultThreadFactory(clientName + "-events", true));
        // Not shutdownNow: what is still to be told is told.
        add(callbacks::shutdown);
        return callbacks;
    }

    void dispose() {
        while (!opened.isEmpty()) {
            close(opened.pop());
        }
    }

    void disposeAfter(Throwable failure) {
        try {
            dispose();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private static void close(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            LOG.warn("a part of the client could not be closed; the others are", e);
        }
    }
}
