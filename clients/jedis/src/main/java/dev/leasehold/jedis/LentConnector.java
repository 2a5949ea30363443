package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.ConnectorInfo.Trait;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.TimeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.providers.SentineledConnectionProvider;
import redis.clients.jedis.util.Pool;

/**
 * Borrows connections of a client that the application has: of one server, or of a cluster, with a pool for each node.
 * Neither the client's view of the slots nor its attempts to repeat are used.
 */
final class LentConnector extends JedisConnector {

    /** One for batches, one for subscriptions, in a cluster one for channels of a shard, and one for callers. */
    private static final int LEAST = 3;

    private static final int LEAST_IN_CLUSTER = 4;
    private static final Set<Trait> OF_SERVER = Set.of(Trait.BLOCKING, Trait.POOLED, Trait.AT_MOST_ONCE);
    private static final Set<Trait> OF_CLUSTER =
            Set.of(Trait.BLOCKING, Trait.POOLED, Trait.AT_MOST_ONCE, Trait.REACHES_ALL_SERVERS);

    /** The far end of a connection in Jedis' description of it. */
    private static final Pattern FAR_END = Pattern.compile("R:[^ ]*/\\[?([^ \\]]+)]?:(\\d+)");

    private final ConnectionProvider provider;
    private final TimeSource time = TimeSource.system();

    private LentConnector(ConnectionProvider provider, List<RedisAddress> seeds, String address, Set<Trait> traits) {
        super(new ConnectorInfo(seeds, null, address, null, traits, CONNECT_TIMEOUT, COMMAND_TIMEOUT));
        this.provider = provider;
    }

    static LentConnector of(ConnectionProvider provider) {
        if (provider instanceof ClusterConnectionProvider cluster) {
            // All are configured alike.
            cluster.getNodes().values().stream().findAny().ifPresent(pool -> refuseIfTooSmall(pool, LEAST_IN_CLUSTER));
            List<RedisAddress> nodes = addresses(cluster.getNodes().keySet());
            return new LentConnector(provider, nodes, "the given client's cluster", OF_CLUSTER);
        }
        List<RedisAddress> server = List.of();
        if (provider instanceof PooledConnectionProvider pooled) {
            refuseIfTooSmall(pooled.getPool(), LEAST);
            server = addresses(pooled.getConnectionMap().keySet());
        } else {
            refuseIfNotOneServer(provider);
        }
        String address = server.isEmpty()
                ? "the given client's own address"
                : server.get(0).toString();
        return new LentConnector(provider, server, address, OF_SERVER);
    }

    /** Of a pool with a factory of the application's own, the key is no address. */
    private static List<RedisAddress> addresses(Collection<?> keys) {
        return keys.stream()
                .map(key -> key instanceof String text ? HostAndPort.from(text) : key)
                .filter(HostAndPort.class::isInstance)
                .map(HostAndPort.class::cast)
                .map(server -> new RedisAddress(server.getHost(), server.getPort()))
                .toList();
    }

    private static void refuseIfNotOneServer(ConnectionProvider provider) {
        String name = provider.getClass().getName();
        if (!(provider instanceof SentineledConnectionProvider) && name.startsWith("redis.clients.jedis.")) {
            throw new IllegalArgumentException("The given client leads to more than one server and is none of a "
                    + "Redis Cluster (" + provider.getClass().getSimpleName() + "): pass a JedisCluster, or a client "
                    + "of one server");
        }
    }

    private static void refuseIfTooSmall(Pool<Connection> pool, int least) {
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
    JedisConnection open(@Nullable RedisAddress to, ConnectionPurpose purpose, long timeoutNanos) {
        Pool<Connection> pool = pool(to);
        Connection connection = pool == null ? provider.getConnection() : borrow(pool, timeoutNanos);
        Loan loan = new Loan(pool, connection, connection.getSoTimeout());
        return new JedisConnection(connection, to == null ? farEnd(connection) : to, loan, purpose);
    }

    private static RedisAddress farEnd(Connection connection) {
        Matcher address = FAR_END.matcher(connection.toIdentityString());
        return address.find()
                ? new RedisAddress(address.group(1), Integer.parseInt(address.group(2)))
                : new RedisAddress("unknown", 0);
    }

    /** The client makes the pool of a node when it is needed, and closes it when the node has left the cluster. */
    private @Nullable Pool<Connection> pool(@Nullable RedisAddress to) {
        if (provider instanceof PooledConnectionProvider pooled) {
            return pooled.getPool();
        }
        if (to == null || !(provider instanceof ClusterConnectionProvider cluster)) {
            return null;
        }
        HostAndPort endpoint = new HostAndPort(to.host(), to.port());
        Pool<Connection> pool = cluster.getNodes().get(endpoint.toString());
        if (pool == null) {
            cluster.getConnection(endpoint).close();
            pool = cluster.getNodes().get(endpoint.toString());
        }
        if (pool == null) {
            throw Failures.closed(to);
        }
        return pool;
    }

    /** Does not wait as the pool is configured, which may be for ever. */
    private Connection borrow(Pool<Connection> from, long timeoutNanos) {
        long deadline = time.nanoTime() + timeoutNanos;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return from.borrowObject(Duration.ofNanos(Math.max(0, deadline - time.nanoTime())));
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (NoSuchElementException e) {
                    throw new JedisException("the given client's pool has none to spare", e);
                } catch (Exception e) {
                    throw new JedisException(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A connection that the client's pool gets back, with the timeout that it had. */
    private record Loan(@Nullable Pool<Connection> pool, Connection connection, int timeoutBefore)
            implements JedisConnection.Origin {

        /** Does nothing: Jedis flushes before it closes a socket, so only the thread that writes may do that. */
        @Override
        public void cut() {}

        @Override
        public void release(boolean sound) {
            if (sound && restored()) {
                putBack();
                return;
            }
            disconnect();
            // A pool reconnects in place of a broken connection (in Jedis 8 always, before if a caller waits), which
            // takes as long as the client's own timeouts allow. The caller that returns it may have no time left.
            Thread thread = new Thread(this::putBack, "leasehold-jedis-returns");
            thread.setDaemon(true);
            thread.start();
        }

        private boolean restored() {
            try {
                connection.setSoTimeout(timeoutBefore);
            } catch (JedisException e) {
                connection.setBroken();
            }
            return !connection.isBroken();
        }

        private void putBack() {
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
                disconnect();
            } finally {
                // The pool does not check whether it was closed while it reconnected, and would keep the connection
                // forever.
                if (pool != null && pool.isClosed()) {
                    pool.clear();
                }
            }
        }

        private void disconnect() {
            connection.setBroken();
            try {
                connection.disconnect();
            } catch (JedisException e) {
                // It was broken before.
            }
        }
    }
}
