package dev.leasehold.internal.redis.blocking;

import dev.leasehold.internal.redis.path.ServerRoute;
import dev.leasehold.internal.redis.path.SilenceLimit;
import dev.leasehold.internal.redis.path.TextCommand;
import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.ConnectorInfo.Trait;
import dev.leasehold.spi.RedisCommand;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The blocking connection of a {@link BatchThreadPath}, which is opened when it is needed. Its thread opens it and sends;
 * any thread restarts and closes it.
 */
final class KeptConnection {

    private final ServerRoute route;
    private final TimeSource time;
    private final long connectTimeoutNanos;
    private final boolean pooled;
    private final SilenceLimit silenceLimit;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock, like the next four fields. */
    private @Nullable RedisConnection connection;

    private boolean sending;

    /** Counts the restarts: a connection whose opening began before the last leads to the wrong server. */
    private int generation;

    private @Nullable String closed;

    /** Used by the thread only. */
    private boolean openedBefore;

    KeptConnection(ServerRoute route, ConnectorInfo info, TimeSource time, SilenceLimit silenceLimit) {
        this.route = route;
        this.time = time;
        this.silenceLimit = silenceLimit;
        connectTimeoutNanos = info.connectTimeout().toNanos();
        pooled = info.is(Trait.POOLED);
    }

    /**
     * Returns the connection, opened if necessary: the first one as slowly as callers bear, a later one within the timeout.
     *
     * @throws TransportException if there is none in time; nothing was sent
     */
    RedisConnection open(long longestNanos) {
        long deadline = time.nanoTime()
                + Math.min(connectTimeoutNanos, openedBefore ? silenceLimit.nanos(longestNanos) : longestNanos);
        RedisConnection open = current();
        while (open == null || !open.isOpen()) {
            int before = generation();
            try {
                open = opened(deadline);
            } catch (RuntimeException e) {
                if (time.nanoTime() - deadline >= 0) {
                    silenceLimit.silent(longestNanos);
                }
                throw e;
            }
            openedBefore = true;
            keep(open, before);
        }
        return open;
    }

    /** A pool may give connections that broke while they were idle: those answer no PING. */
    private RedisConnection opened(long deadline) {
        RedisConnection made = BlockingConnect.open(route, time, deadline - time.nanoTime());
        if (pooled) {
            made.send(List.of(new TextCommand(List.of("PING"))), Math.max(1, deadline - time.nanoTime()));
        }
        return made;
    }

    private void keep(RedisConnection made, int before) {
        boolean late;
        lock.lock();
        try {
            late = generation != before;
            connection = late ? null : made;
        } finally {
            lock.unlock();
        }
        if (late) {
            made.abandon();
        }
    }

    private int generation() {
        lock.lock();
        try {
            if (closed != null) {
                throw BlockingConnect.unavailable(route, closed, null);
            }
            return generation;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable RedisConnection current() {
        lock.lock();
        try {
            return connection;
        } finally {
            lock.unlock();
        }
    }

    boolean isOpen() {
        RedisConnection open = current();
        return open != null && open.isOpen();
    }

    /** Sends over the connection that was opened, unless it was given up since: then nothing is sent. */
    void send(RedisConnection over, List<? extends RedisCommand> commands, long timeoutNanos) {
        lock.lock();
        try {
            if (connection != over) {
                throw BlockingConnect.unavailable(route, closed == null ? "it was given up" : closed, null);
            }
            sending = true;
        } finally {
            lock.unlock();
        }
        try {
            over.send(commands, timeoutNanos);
        } finally {
            lock.lock();
            try {
                sending = false;
            } finally {
                lock.unlock();
            }
        }
    }

    /** Gives the connection up, even while it sends or is opened. */
    void restart() {
        RedisConnection last;
        lock.lock();
        try {
            generation++;
            last = connection;
            connection = null;
        } finally {
            lock.unlock();
        }
        if (last != null) {
            last.abandon();
        }
    }

    /** Ends the connection, and opens no other. */
    void close(String reason) {
        RedisConnection last;
        boolean inUse;
        lock.lock();
        try {
            closed = closed == null ? reason : closed;
            generation++;
            last = connection;
            connection = null;
            inUse = sending;
        } finally {
            lock.unlock();
        }
        if (last != null && inUse) {
            last.abandon();
        } else if (last != null) {
            last.close();
        }
    }
}
