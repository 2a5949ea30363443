package dev.leasehold.jedis;

import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.TimeSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ClusterConnectionProvider;

/**
 * A client of a cluster that the application has. Its pools are used, one for each node, but neither its view of who
 * owns which slots nor its attempts to repeat.
 */
final class LentCluster implements ClusterNodes.Source {

    /** The dedicated connections at one node, and one for callers. */
    private static final int LEAST = 4;

    private final ClusterConnectionProvider provider;
    private final TimeSource time;

    LentCluster(ClusterConnectionProvider provider, TimeSource time) {
        this.provider = provider;
        this.time = time;
        // All are configured alike.
        provider.getNodes().values().stream()
                .findAny()
                .ifPresent(pool -> LentConnections.refuseWhatIsTooSmall(pool, LEAST));
    }

    @Override
    public String address() {
        return "the given client's cluster";
    }

    @Override
    public List<HostAndPort> seeds() {
        return provider.getNodes().keySet().stream().map(HostAndPort::from).toList();
    }

    @Override
    public Connections to(HostAndPort endpoint) {
        return new OfNode(new RedisNode(endpoint.getHost(), endpoint.getPort(), true), endpoint);
    }

    /**
     * Connections to one node. The client closes a pool when the node is not of the cluster any more in its eyes, and makes
     * another when it is again: each connection goes back to where it came from.
     */
    private final class OfNode implements Connections {
        private final RedisNode node;
        private final HostAndPort endpoint;
        private final Map<Connection, LentConnections> origins = new ConcurrentHashMap<>();
        private volatile @Nullable Current current;
        private volatile boolean closed;

        private record Current(ConnectionPool pool, LentConnections connections) {}

        OfNode(RedisNode node, HostAndPort endpoint) {
            this.node = node;
            this.endpoint = endpoint;
        }

        @Override
        public String address() {
            return node.toString();
        }

        @Override
        public RedisNode node() {
            return node;
        }

        private LentConnections connections() {
            if (closed) {
                throw Failures.closed(address());
            }
            Current last = current;
            if (last == null || last.pool().isClosed()) {
                ConnectionPool pool = pool();
                last = new Current(pool, new LentConnections(provider, pool, node, time));
                current = last;
            }
            return last.connections();
        }

        private ConnectionPool pool() {
            ConnectionPool pool = provider.getNodes().get(endpoint.toString());
            if (pool != null) {
                return pool;
            }
            try {
                // Makes the pool.
                provider.getConnection(endpoint).close();
                pool = provider.getNodes().get(endpoint.toString());
            } catch (JedisException e) {
                throw Failures.unsent(e, address());
            }
            if (pool == null) {
                throw Failures.closed(address());
            }
            return pool;
        }

        private Connection from(LentConnections origin, Connection connection) {
            origins.put(connection, origin);
            return connection;
        }

        @Override
        public Connection borrow(long timeoutNanos) {
            LentConnections origin = connections();
            return from(origin, origin.borrow(timeoutNanos));
        }

        @Override
        public void giveBack(Connection connection, boolean othersToo) {
            LentConnections origin = origins.remove(connection);
            if (origin != null) {
                origin.giveBack(connection, othersToo);
            }
        }

        @Override
        public Connection open(long timeoutNanos) {
            LentConnections origin = connections();
            return from(origin, origin.open(timeoutNanos));
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
}
