package dev.leasehold.internal.redis.cluster;

import dev.leasehold.internal.redis.server.Server;
import dev.leasehold.spi.RedisAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The nodes of a cluster that are or were spoken to, each made when it is first named and closed when it has left. */
final class ClusterNodes {

    /** Long enough that what was in flight to a node that left has been answered or given up. */
    private static final long FAREWELL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Function<RedisAddress, Server> maker;
    private final LongSupplier now;
    private final Consumer<Server> prepare;
    private final RedisAddress first;
    private final Map<RedisAddress, Server> nodes = new ConcurrentHashMap<>();
    private final Map<RedisAddress, Long> absentSince = new ConcurrentHashMap<>();
    private volatile @Nullable String closed;

    /**
     * Begins with one node.
     *
     * @param seed the node that is connected
     * @param maker makes the others
     * @param now the monotonic clock
     * @param prepare called with each node before its first use
     */
    ClusterNodes(Server seed, Function<RedisAddress, Server> maker, LongSupplier now, Consumer<Server> prepare) {
        this.maker = maker;
        this.now = now;
        this.prepare = prepare;
        first = seed.endpoint();
        prepare.accept(seed);
        nodes.put(first, seed);
    }

    /** The node to begin with, and to come back to when no other answers. */
    Server seed() {
        return at(first);
    }

    Server at(RedisAddress address) {
        Server node = nodes.get(address);
        if (node == null) {
            node = nodes.computeIfAbsent(address, this::make);
        }
        String reason = closed;
        if (reason != null) {
            node.close(reason);
        }
        return node;
    }

    private Server make(RedisAddress address) {
        Server node = maker.apply(address);
        prepare.accept(node);
        return node;
    }

    /** A node to which another node redirected a call: while slots move to it, no topology may contain it yet. */
    Server inUse(RedisAddress address) {
        absentSince.remove(address);
        return at(address);
    }

    /** Closes those that have been in no view for a while. */
    void keep(Set<RedisAddress> present) {
        long moment = now.getAsLong();
        nodes.forEach((address, node) -> {
            if (present.contains(address)) {
                absentSince.remove(address);
                return;
            }
            Long since = absentSince.putIfAbsent(address, moment);
            if (since != null && moment - since > FAREWELL_NANOS && nodes.remove(address, node)) {
                absentSince.remove(address);
                node.close("it has left the cluster");
            }
        });
    }

    /** The number of nodes that are not closed. */
    int size() {
        return nodes.size();
    }

    void close(String reason) {
        closed = reason;
        nodes.values().forEach(node -> node.close(reason));
    }
}
