package dev.leasehold.springdata;

import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Connections for callers, opened as they are needed: as many as call at once, {@value #MOST} at the most. The one that
 * was used last is used next. One that was idle for a minute is closed rather than used: a firewall or the server may
 * have forgotten it.
 */
final class Pool {

    static final int MOST = 16;

    private static final long STALE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Wires wires;
    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition returned = lock.newCondition();

    /** The one used last comes first; guarded by the lock, as all below. */
    private final Deque<Idle> idle = new ArrayDeque<>();

    private int borrowed;
    private boolean closed;

    private record Idle(Wire wire, long since) {}

    Pool(Wires wires, TimeSource time) {
        this.wires = wires;
        this.time = time;
    }

    /** One for an exchange on the caller's thread, within this time. An interrupt does not end the wait and is kept. */
    Wire borrow(long timeoutNanos) {
        long until = time.nanoTime() + timeoutNanos;
        List<Wire> dropped = new ArrayList<>(0);
        Wire found = take(timeoutNanos, dropped);
        dropped.forEach(Wire::close);
        if (found != null) {
            return found;
        }
        Wire made = null;
        try {
            made = wires.open(until - time.nanoTime());
            return made;
        } finally {
            if (made == null) {
                leave();
            }
        }
    }

    /** Takes a permit for a caller, and an idle connection if there is one. */
    private @Nullable Wire take(long timeoutNanos, List<Wire> dropped) {
        boolean interrupted = false;
        lock.lock();
        try {
            long left = timeoutNanos;
            while (borrowed == MOST && !closed) {
                if (left <= 0) {
                    throw new TransportException(
                            "no connection to Redis at " + wires.address() + ": all " + MOST + " are in use",
                            false,
                            null);
                }
                try {
                    left = returned.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (closed) {
                throw Failures.closed(wires.address());
            }
            borrowed++;
            return freshest(dropped);
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private @Nullable Wire freshest(List<Wire> dropped) {
        for (Idle first = idle.pollFirst(); first != null; first = idle.pollFirst()) {
            if (time.nanoTime() - first.since() < STALE_NANOS && first.wire().isOpen()) {
                return first.wire();
            }
            dropped.add(first.wire());
        }
        return null;
    }

    private void leave() {
        lock.lock();
        try {
            borrowed--;
            returned.signal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the exchange. A broken connection is closed.
     *
     * @param othersToo whether idle connections have probably broken with it
     */
    void giveBack(Wire wire, boolean othersToo) {
        List<Wire> dropped = new ArrayList<>(0);
        lock.lock();
        try {
            if (!wire.isOpen() || closed) {
                dropped.add(wire);
            } else {
                idle.addFirst(new Idle(wire, time.nanoTime()));
            }
            if (othersToo) {
                dropAll(dropped);
            }
            borrowed--;
            returned.signal();
        } finally {
            lock.unlock();
        }
        dropped.forEach(Wire::close);
    }

    private void dropAll(List<Wire> into) {
        idle.forEach(each -> into.add(each.wire()));
        idle.clear();
    }

    void close() {
        List<Wire> dropped = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            dropAll(dropped);
            returned.signalAll();
        } finally {
            lock.unlock();
        }
        dropped.forEach(Wire::close);
    }
}
