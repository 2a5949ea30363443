package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisServer;
import dev.leasehold.spi.TimeSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import redis.clients.jedis.HostAndPort;

/** The nodes of a cluster that are or were spoken to, each made when it is first named and closed when it has left. */
final class ClusterNodes {

    /** Long enough that what was in flight to a node that left has been answered or given up. */
    private static final long FAREWELL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final TimeSource time;
    private final Function<HostAndPort, ClusterNode> make;
    private final Map<HostAndPort, ClusterNode> nodes = new ConcurrentHashMap<>();
    private final Map<HostAndPort, Long> absentSince = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** The source of connections to the nodes. */
    interface Source {

        /** Returns the address of the cluster, for messages. */
        String address();

        /** The nodes to begin with, and to come back to when no other answers. */
        List<HostAndPort> seeds();

        Connections to(HostAndPort endpoint);
    }

    /** Connections of our own: every node takes what the URI says, but for host and port. */
    record Owned(ConnectionSettings settings, TimeSource time) implements Source {

        @Override
        public String address() {
            return settings.address();
        }

        @Override
        public List<HostAndPort> seeds() {
            RedisServer seed = RedisServer.of(settings);
            return List.of(new HostAndPort(seed.host(), seed.port()));
        }

        @Override
        public Connections to(HostAndPort endpoint) {
            RedisServer seed = RedisServer.of(settings);
            return new OwnedConnections(
                    settings,
                    new RedisServer(
                            endpoint.getHost(),
                            endpoint.getPort(),
                            seed.tls(),
                            seed.user(),
                            seed.password(),
                            seed.database()),
                    settings.uri().getScheme() + "://" + endpoint,
                    time);
        }
    }

    ClusterNodes(TimeSource time, Function<HostAndPort, ClusterNode> make) {
        this.time = time;
        this.make = make;
    }

    ClusterNode at(HostAndPort endpoint) {
        ClusterNode node = nodes.get(endpoint);
        if (node == null) {
            node = nodes.computeIfAbsent(endpoint, make);
        }
        if (closed) {
            node.close();
        }
        return node;
    }

    /** A node to which another node redirected a call: while slots move to it, no topology may contain it yet. */
    ClusterNode inUse(HostAndPort endpoint) {
        absentSince.remove(endpoint);
        return at(endpoint);
    }

    /** Closes those that have been in no view for a while. */
    void keep(Set<HostAndPort> present) {
        long now = time.nanoTime();
        nodes.forEach((endpoint, node) -> {
            if (present.contains(endpoint)) {
                absentSince.remove(endpoint);
                return;
            }
            Long since = absentSince.putIfAbsent(endpoint, now);
            if (since != null && now - since > FAREWELL_NANOS && nodes.remove(endpoint, node)) {
                absentSince.remove(endpoint);
                node.close();
            }
        });
    }

    void close() {
        closed = true;
        nodes.values().forEach(ClusterNode::close);
    }
}
