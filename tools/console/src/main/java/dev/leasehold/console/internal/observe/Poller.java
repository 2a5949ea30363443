package dev.leasehold.console.internal.observe;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a task again and again on a thread of its own, while somebody watches. */
final class Poller implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Poller.class);

    private final PollTask task;
    private final ScheduledExecutorService thread;
    private final ReentrantLock lock = new ReentrantLock();
    private int viewers;
    private boolean scheduled;

    /** One round of work. */
    interface PollTask {
        /** Does the work and returns the pause until the next round. */
        Duration run();
    }

    Poller(String name, PollTask task) {
        this.task = task;
        thread = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread created = new Thread(work, name);
            created.setDaemon(true);
            return created;
        });
    }

    /** Registers a viewer; the first one starts a round at once. */
    void enter() {
        lock.lock();
        try {
            viewers++;
            if (!scheduled) {
                schedule(Duration.ZERO);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes a viewer; without one, no further round starts. */
    void leave() {
        lock.lock();
        try {
            viewers--;
        } finally {
            lock.unlock();
        }
    }

    private void schedule(Duration pause) {
        scheduled = !thread.isShutdown();
        if (scheduled) {
            var unused = thread.schedule(this::round, pause.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void round() {
        lock.lock();
        try {
            if (viewers == 0) {
                scheduled = false;
                return;
            }
        } finally {
            lock.unlock();
        }
        Duration pause = Duration.ofSeconds(1);
        try {
            pause = task.run();
        } catch (RuntimeException e) {
            if (!thread.isShutdown()) {
                // A bug, but the page must not stand still because of it.
                LOG.error("The console could not refresh; it tries again", e);
            }
        }
        lock.lock();
        try {
            schedule(pause);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            thread.shutdownNow();
        } finally {
            lock.unlock();
        }
    }
}
