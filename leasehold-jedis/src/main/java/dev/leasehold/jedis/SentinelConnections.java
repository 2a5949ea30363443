package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisSentinels;
import dev.leasehold.spi.RedisServer;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Connection;

/**
 * Connections to the primary that sentinels name: those of one server at a time. When another has come into its place
 * they are abandoned, even while in use.
 */
final class SentinelConnections implements Connections {

    private static final Logger LOG = LoggerFactory.getLogger(SentinelConnections.class);

    private final ConnectionSettings settings;
    private final RedisSentinels named;
    private final TimeSource time;
    private final SentinelWatch watch;
    private final Map<Connection, OwnedConnections> borrowed = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition known = lock.newCondition();
    private volatile @Nullable Primary primary;

    /** The reason why no primary is known; guarded by the lock, like the next field. */
    private @Nullable RuntimeException ignorance;

    private boolean closed;

    private record Primary(RedisServer server, OwnedConnections connections) {}

    SentinelConnections(ConnectionSettings settings, TimeSource time) {
        this.settings = settings;
        this.named = RedisSentinels.of(settings);
        this.time = time;
        watch = new SentinelWatch(settings, named, this::know, this::fail);
        watch.begin();
    }

    private void know(RedisNode now) {
        Primary before = primary;
        if (before != null
                && before.server().host().equals(now.host())
                && before.server().port() == now.port()) {
            return;
        }
        RedisServer server = named.server(now.host(), now.port());
        OwnedConnections connections = new OwnedConnections(settings, server, settings.address(), time);
        boolean late;
        lock.lock();
        try {
            late = closed;
            primary = new Primary(server, connections);
            known.signalAll();
        } finally {
            lock.unlock();
        }
        if (late) {
            connections.close();
        }
        if (before != null) {
            LOG.info("{} is {} now, no longer {}", named.primaryName(), server, before.server());
            before.connections().abandon();
        }
    }

    private void fail(RuntimeException reason) {
        lock.lock();
        try {
            ignorance = reason;
            known.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String address() {
        return settings.address();
    }

    @Override
    public @Nullable RedisNode node() {
        Primary now = primary;
        return now == null
                ? null
                : new RedisNode(now.server().host(), now.server().port(), true);
    }

    /** Waits for the first known primary. An interrupt does not end the wait; the interrupt status is kept. */
    private OwnedConnections current(long timeoutNanos) {
        Primary now = primary;
        if (now != null) {
            return now.connections();
        }
        boolean interrupted = false;
        long until = time.nanoTime() + timeoutNanos;
        lock.lock();
        try {
            while (primary == null && !closed && ignorance == null) {
                long left = until - time.nanoTime();
                if (left <= 0) {
                    throw new TransportException("no sentinel at " + address() + " answered in time", false, null);
                }
                try {
                    long unused = known.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            Primary first = primary;
            if (closed || first == null) {
                throw closed || ignorance == null ? Failures.closed(address()) : ignorance;
            }
            return first.connections();
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public Connection borrow(long timeoutNanos) {
        long until = time.nanoTime() + timeoutNanos;
        OwnedConnections from = current(timeoutNanos);
        Connection connection;
        try {
            connection = from.borrow(until - time.nanoTime());
        } catch (TransportException e) {
            watch.askNow();
            throw e;
        }
        borrowed.put(connection, from);
        return connection;
    }

    @Override
    public void giveBack(Connection connection, boolean othersToo) {
        OwnedConnections from = borrowed.remove(connection);
        if (from != null) {
            from.giveBack(connection, othersToo);
        }
        if (connection.isBroken()) {
            watch.askNow();
        }
    }

    @Override
    public Connection open(long timeoutNanos) {
        long until = time.nanoTime() + timeoutNanos;
        OwnedConnections from = current(timeoutNanos);
        try {
            return from.open(until - time.nanoTime());
        } catch (TransportException e) {
            watch.askNow();
            throw e;
        }
    }

    /** All of them end alike. */
    @Override
    public void end(Connection connection) {
        OwnedConnections.disconnect(connection);
        if (connection.isBroken()) {
            watch.askNow();
        }
    }

    @Override
    public void close() {
        watch.close();
        Primary last;
        lock.lock();
        try {
            closed = true;
            last = primary;
            known.signalAll();
        } finally {
            lock.unlock();
        }
        if (last != null) {
            last.connections().close();
        }
    }
}
