package dev.leasehold.internal.renew;

import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.RenewalPlan;
import dev.leasehold.spi.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes the leases whose plan names it, at one moment. A plan may name another timer meanwhile; so the list has leases that are not
 * woken, but never more of them than of others and a few.
 */
final class LeaseTimer implements RenewalPlan.WakeUp, Runnable {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");

    /** A timer without leases that is due later is stopped. One that is due sooner is probably used again. */
    private static final long KEPT_NANOS = 16_000_000_000L;

    private static final int FEW = 64;

    private final LeaseTimers timers;
    private final long at;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private List<LeaseRecord> leases = new ArrayList<>();
    private int waiting;
    private boolean over;
    private Timer.@Nullable Timeout timeout;

    LeaseTimer(LeaseTimers timers, long at) {
        this.timers = timers;
        this.at = at;
    }

    /** The moment at which it is due. */
    long at() {
        return at;
    }

    /** It was scheduled. */
    void start(Timer.Timeout scheduled) {
        lock.lock();
        try {
            timeout = scheduled;
        } finally {
            lock.unlock();
        }
    }

    /** Adds a lease whose plan names it; returns false if it has fired, or was stopped. */
    boolean add(LeaseRecord record) {
        lock.lock();
        try {
            if (over) {
                return false;
            }
            leases.add(record);
            waiting++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void cancel() {
        lock.lock();
        try {
            waiting--;
            if (waiting <= 0 && at - timers.now() > KEPT_NANOS) {
                stop();
            } else if (leases.size() > 2 * Math.max(0, waiting) + FEW) {
                leases.removeIf(record -> record.plan().wakeUp() != this);
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many leases are listed. */
    int size() {
        lock.lock();
        try {
            return leases.size();
        } finally {
            lock.unlock();
        }
    }

    private void stop() {
        end();
        if (timeout != null) {
            timeout.cancel();
        }
    }

    /** Takes the leases out, and refuses further ones. */
    private List<LeaseRecord> end() {
        over = true;
        timers.remove(this);
        List<LeaseRecord> all = leases;
        leases = List.of();
        return all;
    }

    @Override
    public void run() {
        List<LeaseRecord> due;
        lock.lock();
        try {
            due = end();
        } finally {
            lock.unlock();
        }
        due.forEach(this::wake);
    }

    private void wake(LeaseRecord record) {
        if (!record.plan().replaceWakeUp(this, null)) {
            return;
        }
        try {
            timers.wake(record);
        } catch (RuntimeException | Error e) {
            LOG.error("a bug in Leasehold: the handling of one lease threw; other leases are not affected", e);
        }
    }
}
