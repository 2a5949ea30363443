package dev.leasehold.console.internal.http;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The threads of requests, each of which blocks its thread while it is read. At most 16 are read from strangers at a time: one more
 * ends the oldest of them, so that requests which are never completed replace each other and keep no other from being read. A request is
 * a stranger's until its session is known.
 */
public final class RequestThreads implements Executor, AutoCloseable {

    private static final int MOST_STRANGERS = 16;

    private final Lock lock = new ReentrantLock();
    private final Set<Thread> strangers = new LinkedHashSet<>();
    private final AtomicInteger number = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "leasehold-console-http-" + number.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    });

    @Override
    public void execute(Runnable request) {
        threads.execute(() -> {
            enter();
            try {
                request.run();
            } finally {
                admit();
                // It may have been meant for this request, and not for the next one.
                boolean unused = Thread.interrupted();
            }
        });
    }

    private void enter() {
        lock.lock();
        try {
            if (strangers.size() == MOST_STRANGERS) {
                Iterator<Thread> oldest = strangers.iterator();
                // An interrupt closes the channel that the thread reads.
                oldest.next().interrupt();
                oldest.remove();
            }
            strangers.add(Thread.currentThread());
        } finally {
            lock.unlock();
        }
    }

    /** Lets the request on this thread take its time: it is no stranger's. */
    void admit() {
        lock.lock();
        try {
            strangers.remove(Thread.currentThread());
        } finally {
            lock.unlock();
        }
    }

    /** Ends all requests. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
