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

/**
 * The resources that a client opened and must close, the last one first; without those that the application passed in.
 */
final class OwnedResources {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.client");

    private static final long IDLE_SECONDS = 5;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    void add(AutoCloseable resource) {
        opened.push(resource);
    }

    /** Creates the single thread for renewals and compensating releases. */
    Executor renewals(String clientName) {
        ExecutorService renewals =
                Executors.newSingleThreadExecutor(new DefaultThreadFactory(clientName + "-lane", true));
        add(renewals::shutdownNow);
        return renewals;
    }

    /**
     * Creates a pool without an upper bound, because a listener that blocks must not delay another. Idle threads end
     * soon.
     */
    Executor callbacks(String clientName) {
        ExecutorService callbacks = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                new DefaultThreadFactory(clientName + "-events", true));
        // Not shutdownNow: pending notifications are still delivered.
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
            LOG.warn("a resource of the client could not be closed; the others were closed", e);
        }
    }
}
