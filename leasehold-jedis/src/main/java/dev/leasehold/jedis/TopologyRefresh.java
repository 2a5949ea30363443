package dev.leasehold.jedis;

import dev.leasehold.spi.TimeSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schedule of topology refreshes: immediately after a failure, but at the earliest a second after the last one, and
 * every {@value #PERIOD_SECONDS} s. One daemon thread, which ends with the transport.
 */
final class TopologyRefresh {

    static final int PERIOD_SECONDS = 30;

    private static final Logger LOG = LoggerFactory.getLogger(TopologyRefresh.class);
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(PERIOD_SECONDS);
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final TimeSource time;
    private final Runnable ask;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Guarded by the lock, as all below. */
    private boolean due;

    private boolean closed;
    private long lastBegan;

    TopologyRefresh(TimeSource time, Runnable ask) {
        this.time = time;
        this.ask = ask;
        lastBegan = time.nanoTime() - INTERVAL_NANOS;
    }

    void begin(String address) {
        Thread thread = new Thread(this::run, "leasehold-jedis-topology " + address);
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        while (awaitReason()) {
            try {
                ask.run();
            } catch (RuntimeException | Error e) {
                LOG.error("a bug in Leasehold: the topology could not be refreshed", e);
            }
        }
    }

    /** False after the close. */
    private boolean awaitReason() {
        lock.lock();
        try {
            for (long left = left(); !closed && left > 0; left = left()) {
                changed.awaitNanos(left);
            }
            due = false;
            lastBegan = time.nanoTime();
            return !closed;
        } catch (InterruptedException e) {
            // An interrupt requests the end of this thread.
            return false;
        } finally {
            lock.unlock();
        }
    }

    private long left() {
        return lastBegan + (due ? INTERVAL_NANOS : PERIOD_NANOS) - time.nanoTime();
    }

    /** Something went wrong. */
    void soon() {
        lock.lock();
        try {
            due = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }
}
