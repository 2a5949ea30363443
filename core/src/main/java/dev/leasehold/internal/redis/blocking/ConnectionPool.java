package dev.leasehold.internal.redis.blocking;

import dev.leasehold.internal.redis.path.ServerRoute;
import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.ConnectorInfo.Trait;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one server over which callers' threads send, each used by one thread at a time: as many as call at
 * once, {@value #MOST} at most. The one that was used last is used next. One that was idle for a minute is closed rather than
 * used: a firewall or the server may have forgotten it. Connections of an application's pool go back to it after each
 * use, and only that pool limits their number.
 */
final class ConnectionPool {

    static final int MOST = 16;

    private static final long STALE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final ServerRoute route;
    private final TimeSource time;
    private final long connectTimeoutNanos;
    private final boolean keepsIdle;
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition returned = lock.newCondition();

    /** The one used last comes first; guarded by the lock, like all below. */
    private final Deque<Idle> idle = new ArrayDeque<>();

    private final Set<RedisConnection> inUse = Collections.newSetFromMap(new IdentityHashMap<>());

    /** The number of callers that have a connection or are opening one. */
    private int borrowed;

    /** Counts the restarts: a connection whose opening began before the last leads to the wrong server. */
    private int generation;

    private @Nullable String closed;

    private record Idle(RedisConnection connection, long since) {}

    ConnectionPool(ServerRoute route, ConnectorInfo info, TimeSource time) {
        this.route = route;
        this.time = time;
        connectTimeoutNanos = info.connectTimeout().toNanos();
        keepsIdle = !info.is(Trait.POOLED);
        most = keepsIdle ? MOST : Integer.MAX_VALUE;
    }

    String address() {
        return route.address();
    }

    /** Returns what is left until a deadline, in nanoseconds. */
    long left(long deadline) {
        return deadline - time.nanoTime();
    }

    /**
     * Returns what is left until a deadline for sending.
     *
     * @throws TransportException if nothing is left; nothing was sent
     */
    long timeToSend(long deadline) {
        long left = left(deadline);
        if (left <= 0) {
            throw new TransportException("no time was left to send a command to Redis at " + address(), false, null);
        }
        return left;
    }

    long deadline(long timeoutNanos) {
        return time.nanoTime() + timeoutNanos;
    }

    /**
     * Borrows a connection for the calling thread. An interrupt does not end the wait; the interrupt status is kept.
     *
     * @throws TransportException if there is none before the deadline; nothing was sent
     * @throws RedisErrorException if the server refuses, for example the password
     */
    RedisConnection borrow(long deadline) {
        List<RedisConnection> stale = new ArrayList<>(0);
        RedisConnection found = take(deadline, stale);
        stale.forEach(RedisConnection::close);
        if (found != null) {
            return found;
        }
        try {
            return open(deadline);
        } catch (RuntimeException e) {
            leave();
            route.troubled();
            throw e;
        }
    }

    /** Admits a caller, with an idle connection if there is one. */
    private @Nullable RedisConnection take(long deadline, List<RedisConnection> stale) {
        boolean interrupted = false;
        lock.lock();
        try {
            while (borrowed == most && closed == null) {
                try {
                    if (returned.awaitNanos(left(deadline)) <= 0 && borrowed == most) {
                        throw BlockingConnect.unavailable(route, "all " + most + " are in use", null);
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            requireOpen();
            borrowed++;
            return freshest(stale);
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private @Nullable RedisConnection freshest(List<RedisConnection> stale) {
        Idle first = idle.pollFirst();
        if (first == null) {
            return null;
        }
        if (time.nanoTime() - first.since() >= STALE_NANOS) {
            stale.add(first.connection());
            drainIdle(stale);
            return null;
        }
        inUse.add(first.connection());
        return first.connection();
    }

    private RedisConnection open(long deadline) {
        while (true) {
            int before = generation();
            RedisConnection made = BlockingConnect.open(route, time, Math.min(left(deadline), connectTimeoutNanos));
            lock.lock();
            try {
                if (closed == null && before == generation) {
                    inUse.add(made);
                    return made;
                }
            } finally {
                lock.unlock();
            }
            made.abandon();
            generation();
        }
    }

    /** Returns the number of restarts, unless the pool is closed. */
    private int generation() {
        lock.lock();
        try {
            requireOpen();
            return generation;
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (closed != null) {
            throw BlockingConnect.unavailable(route, closed, null);
        }
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
     * Gives a connection back.
     *
     * @param othersToo whether the idle connections have probably broken with it
     */
    void giveBack(RedisConnection connection, boolean othersToo) {
        List<RedisConnection> dropped = new ArrayList<>(0);
        boolean open = connection.isOpen();
        boolean broken;
        lock.lock();
        try {
            broken = !open && closed == null;
            inUse.remove(connection);
            if (keepsIdle && closed == null && open) {
                idle.addFirst(new Idle(connection, time.nanoTime()));
            } else {
                dropped.add(connection);
            }
            if (othersToo) {
                drainIdle(dropped);
            }
            borrowed--;
            returned.signal();
        } finally {
            lock.unlock();
        }
        dropped.forEach(RedisConnection::close);
        if (broken) {
            route.troubled();
        }
    }

    private void drainIdle(List<RedisConnection> into) {
        idle.forEach(each -> into.add(each.connection()));
        idle.clear();
    }

    /** Ends the connections that are open or being opened, even while in use. */
    void restart() {
        end(null);
    }

    /** The same, and no other is opened. */
    void close(String reason) {
        end(reason);
    }

    private void end(@Nullable String reason) {
        List<RedisConnection> dropped = new ArrayList<>();
        List<RedisConnection> cut;
        lock.lock();
        try {
            generation++;
            closed = closed == null ? reason : closed;
            drainIdle(dropped);
            cut = List.copyOf(inUse);
            returned.signalAll();
        } finally {
            lock.unlock();
        }
        dropped.forEach(RedisConnection::close);
        cut.forEach(RedisConnection::abandon);
    }
}
