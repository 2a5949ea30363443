package dev.leasehold.jedis;

import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.providers.SentineledConnectionProvider;
import redis.clients.jedis.util.Pool;

/** Connections of a client that the application has, which keeps its pool, its settings and its life. */
final class LentConnections implements Connections {

    /** The dedicated connections, and one for callers. */
    static final int LEAST = 3;

    private static final Logger LOG = LoggerFactory.getLogger(LentConnections.class);

    private final ConnectionProvider provider;
    private final @Nullable Pool<Connection> pool;
    private final @Nullable RedisNode node;
    private final TimeSource time;
    private volatile boolean closed;

    LentConnections(ConnectionProvider provider, TimeSource time) {
        this.provider = provider;
        this.pool = provider instanceof PooledConnectionProvider pooled ? pooled.getPool() : null;
        this.node = null;
        this.time = time;
        refuseWhatIsNotOneServer();
        if (pool != null) {
            refuseWhatIsTooSmall(pool, LEAST);
        }
    }

    /** Those to one server of many. */
    LentConnections(ConnectionProvider provider, Pool<Connection> pool, RedisNode node, TimeSource time) {
        this.provider = provider;
        this.pool = pool;
        this.node = node;
        this.time = time;
    }

    private void refuseWhatIsNotOneServer() {
        boolean known = pool != null || provider instanceof SentineledConnectionProvider;
        if (!known && provider.getClass().getName().startsWith("redis.clients.jedis.")) {
            throw new IllegalArgumentException("The given client leads to more than one server and is none of a "
                    + "Redis Cluster (" + provider.getClass().getSimpleName() + "): pass a JedisCluster, or a client "
                    + "of one server");
        }
    }

    static void refuseWhatIsTooSmall(Pool<Connection> pool, int least) {
        int most = pool.getMaxTotal();
        if (most >= 0 && most < least) {
            throw new IllegalArgumentException("The pool of the given client has " + most
                    + " connections at the most, and Leasehold keeps " + (least - 1)
                    + ", for renewals and for wake-ups, beside those of callers: set maxTotal to " + least
                    + " or more");
        }
    }

    /**
     * Returns the source of a client's connections. The client has no method for it, and methods that lend a connection
     * have other signatures in other versions of Jedis; the field has been the same in all.
     */
    static ConnectionProvider providerOf(UnifiedJedis client) {
        ConnectionProvider provider = null;
        try {
            VarHandle field = MethodHandles.privateLookupIn(UnifiedJedis.class, MethodHandles.lookup())
                    .findVarHandle(UnifiedJedis.class, "provider", ConnectionProvider.class);
            provider = (ConnectionProvider) field.get(client);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    "This version of Jedis does not let Leasehold see where its client takes connections from: pass the "
                            + "ConnectionProvider instead",
                    e);
        }
        if (provider == null) {
            throw new IllegalArgumentException(
                    "The given client has a single connection, or a CommandExecutor in place "
                            + "of a pool: pass one that has a pool, or a ConnectionProvider");
        }
        return provider;
    }

    @Override
    public String address() {
        RedisNode node = node();
        return node == null ? "the given client's own address" : node.toString();
    }

    @Override
    public @Nullable RedisNode node() {
        if (node == null && pool != null) {
            for (Object key : provider.getConnectionMap().keySet()) {
                if (key instanceof HostAndPort server) {
                    return new RedisNode(server.getHost(), server.getPort(), true);
                }
            }
        }
        return node;
    }

    @Override
    public Connection borrow(long timeoutNanos) {
        if (closed) {
            throw Failures.closed(address());
        }
        try {
            return pool == null ? provider.getConnection() : borrow(pool, timeoutNanos);
        } catch (RuntimeException e) {
            throw Failures.unsent(e, address());
        }
    }

    /** Not as the pool is configured, which may be to wait for ever. */
    private Connection borrow(Pool<Connection> from, long timeoutNanos) {
        long until = time.nanoTime() + timeoutNanos;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    long left = Math.max(0, until - time.nanoTime());
                    return from.borrowObject(Duration.ofNanos(left));
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (NoSuchElementException e) {
                    throw new TransportException(
                            "no connection to Redis at " + address() + ": the given client's pool has none to spare",
                            false,
                            e);
                } catch (RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new TransportException("no connection to Redis at " + address(), false, e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The others are the application's. */
    @Override
    public void giveBack(Connection connection, boolean othersToo) {
        if (!connection.isBroken()) {
            putBack(connection);
            return;
        }
        disconnect(connection);
        // A pool reconnects in place of a broken connection (in Jedis 8 always, before if a caller waits), which takes
        // as long as the client's own timeouts allow. The caller that returns it may have no time left.
        Thread thread = new Thread(() -> putBack(connection), "leasehold-jedis-returns " + address());
        thread.setDaemon(true);
        thread.start();
    }

    private void putBack(Connection connection) {
        try {
            if (pool == null) {
                connection.close();
            } else if (connection.isBroken()) {
                pool.returnBrokenResource(connection);
            } else {
                pool.returnResource(connection);
            }
        } catch (JedisException e) {
            // The pool does not take it, or could not replace it.
            disconnect(connection);
        } finally {
            // The pool does not check whether it was closed while it reconnected, and would keep the connection
            // forever.
            if (pool != null && pool.isClosed()) {
                pool.clear();
            }
        }
    }

    private static void disconnect(Connection connection) {
        try {
            connection.disconnect();
        } catch (JedisException e) {
            LOG.debug("A connection was closed that was broken", e);
        }
    }

    /** Opens a connection and checks that it is alive, because it may not be used again for a long time. */
    @Override
    public Connection open(long timeoutNanos) {
        long until = time.nanoTime() + timeoutNanos;
        while (true) {
            long left = until - time.nanoTime();
            Connection connection = borrow(Math.max(0, left));
            int timeoutBefore = connection.getSoTimeout();
            try {
                connection.setSoTimeout(CommandExchange.millis(Math.max(1, left)));
                connection.ping();
                connection.setSoTimeout(timeoutBefore);
                return connection;
            } catch (JedisDataException e) {
                // It answers, if only that it may not be asked so.
                connection.setSoTimeout(timeoutBefore);
                return connection;
            } catch (JedisException e) {
                connection.setBroken();
                end(connection);
                if (left <= 0 || Failures.isTimeout(e)) {
                    throw Failures.unsent(e, address());
                }
            }
        }
    }

    @Override
    public void end(Connection connection) {
        giveBack(connection, false);
    }

    @Override
    public void close() {
        closed = true;
    }
}
