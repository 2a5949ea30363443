package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisServer;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Connections to one server, opened as they are needed: for callers as many as call at once, {@value #MOST} at the
 * most. The one that was used last is used next. One that was idle for a minute is closed rather than used: a firewall
 * or the server may have forgotten it.
 */
final class OwnedConnections implements Connections {

    static final int MOST = 16;

    private static final long STALE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final ConnectionSettings settings;
    private final RedisServer server;
    private final String address;
    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition returned = lock.newCondition();

    /** The connections that may be open, to end all of them at once. */
    private final Set<Sockets> opened = ConcurrentHashMap.newKeySet();

    private volatile boolean abandoned;

    /** The one used last comes first; guarded by the lock, as all below. */
    private final Deque<Idle> idle = new ArrayDeque<>();

    private int borrowed;
    private boolean closed;

    private record Idle(Connection connection, long since) {}

    OwnedConnections(ConnectionSettings settings, TimeSource time) {
        this(settings, RedisServer.of(settings), settings.address(), time);
    }

    /** To another server than that of the URI, which it is told like. */
    OwnedConnections(ConnectionSettings settings, RedisServer server, String address, TimeSource time) {
        this.settings = settings;
        this.server = server;
        this.address = address;
        this.time = time;
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public RedisNode node() {
        return new RedisNode(server.host(), server.port(), true);
    }

    @Override
    public Connection borrow(long timeoutNanos) {
        long until = time.nanoTime() + timeoutNanos;
        List<Connection> stale = new ArrayList<>(0);
        Connection found = take(timeoutNanos, stale);
        stale.forEach(OwnedConnections::disconnect);
        if (found != null) {
            return found;
        }
        Connection made = null;
        try {
            made = open(until - time.nanoTime());
            return made;
        } finally {
            if (made == null) {
                leave();
            }
        }
    }

    /** Takes a permit for a caller, and an idle connection if there is one. */
    private @Nullable Connection take(long timeoutNanos, List<Connection> stale) {
        boolean interrupted = false;
        lock.lock();
        try {
            long left = timeoutNanos;
            while (borrowed == MOST && !closed) {
                if (left <= 0) {
                    throw new TransportException(
                            "no connection to Redis at " + address() + ": all " + MOST + " are in use", false, null);
                }
                try {
                    left = returned.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (closed) {
                throw Failures.closed(address());
            }
            borrowed++;
            return freshest(stale);
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private @Nullable Connection freshest(List<Connection> stale) {
        Idle first = idle.pollFirst();
        if (first == null || time.nanoTime() - first.since() < STALE_NANOS) {
            return first == null ? null : first.connection();
        }
        stale.add(first.connection());
        dropAll(stale);
        return null;
    }

    private void dropAll(List<Connection> into) {
        idle.forEach(each -> into.add(each.connection()));
        idle.clear();
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

    @Override
    public void giveBack(Connection connection, boolean othersToo) {
        List<Connection> dropped = new ArrayList<>(0);
        lock.lock();
        try {
            if (connection.isBroken() || closed) {
                dropped.add(connection);
            } else {
                idle.addFirst(new Idle(connection, time.nanoTime()));
            }
            if (othersToo) {
                dropAll(dropped);
            }
            borrowed--;
            returned.signal();
        } finally {
            lock.unlock();
        }
        dropped.forEach(OwnedConnections::disconnect);
    }

    @Override
    public Connection open(long timeoutNanos) {
        if (timeoutNanos <= 0) {
            throw new TransportException(
                    "no connection to Redis at " + address() + ": no time was left to open one", false, null);
        }
        int millis = CommandExchange.millis(
                Math.min(timeoutNanos, settings.connectTimeout().toNanos()));
        Sockets sockets = new Sockets(server, settings.tls(), millis);
        opened.removeIf(Sockets::isClosed);
        opened.add(sockets);
        try {
            Connection connection = new Connection(sockets, config(millis));
            if (abandoned) {
                sockets.cut();
            }
            return connection;
        } catch (JedisException e) {
            opened.remove(sockets);
            throw Failures.unsent(e, address());
        }
    }

    private JedisClientConfig config(int millis) {
        return DefaultJedisClientConfig.builder()
                .protocol(RedisProtocol.RESP2)
                .user(server.user())
                .password(server.password())
                .database(server.database())
                .clientName(settings.clientName())
                // Would need a right more, and Redis 7.2.
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .socketTimeoutMillis(millis)
                .build();
    }

    @Override
    public void end(Connection connection) {
        disconnect(connection);
    }

    static void disconnect(Connection connection) {
        try {
            connection.disconnect();
        } catch (JedisException e) {
            // It was broken before, then, and is closed now.
            connection.setBroken();
        }
    }

    /** Closes it, and cuts whatever is in use: what is in flight fails as perhaps executed. */
    void abandon() {
        abandoned = true;
        close();
        opened.forEach(Sockets::cut);
    }

    @Override
    public void close() {
        List<Connection> dropped = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            dropAll(dropped);
            returned.signalAll();
        } finally {
            lock.unlock();
        }
        dropped.forEach(OwnedConnections::disconnect);
    }
}
