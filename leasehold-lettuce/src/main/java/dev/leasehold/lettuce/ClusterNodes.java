package dev.leasehold.lettuce;

import io.netty.util.concurrent.EventExecutorGroup;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The nodes of a cluster that are or were spoken to, each made when it is first named and closed when it has left. */
final class ClusterNodes {

    /** Long enough that what was in flight to a node that left has been answered or given up. */
    private static final long FAREWELL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final LettuceConnector connector;
    private final EventExecutorGroup executors;
    private final Delays delays;
    private final Consumer<LettuceNode> prepare;
    private final Endpoint first;
    private final Map<Endpoint, LettuceNode> nodes = new ConcurrentHashMap<>();
    private final Map<Endpoint, Long> absentSince = new ConcurrentHashMap<>();
    private volatile @Nullable String closed;

    /**
     * Begins with one node.
     *
     * @param seed the node that is connected
     * @param connector which made its connections
     * @param prepare called with each node before its first use
     */
    ClusterNodes(
            LettuceNode seed,
            LettuceConnector connector,
            EventExecutorGroup executors,
            Delays delays,
            Consumer<LettuceNode> prepare) {
        this.connector = connector;
        this.executors = executors;
        this.delays = delays;
        this.prepare = prepare;
        first = seed.endpoint();
        prepare.accept(seed);
        nodes.put(first, seed);
    }

    String address() {
        return connector.address();
    }

    /** The node to begin with, and to come back to when no other answers. */
    LettuceNode seed() {
        return at(first);
    }

    LettuceNode at(Endpoint endpoint) {
        LettuceNode node = nodes.get(endpoint);
        if (node == null) {
            node = nodes.computeIfAbsent(endpoint, this::make);
        }
        String reason = closed;
        if (reason != null) {
            CompletionStage<Void> unused = node.close(reason);
        }
        return node;
    }

    private LettuceNode make(Endpoint endpoint) {
        LettuceNode node = new LettuceNode(connector.to(endpoint), executors);
        prepare.accept(node);
        return node;
    }

    /** A node to which another node redirected a call: while slots move to it, no topology may contain it yet. */
    LettuceNode inUse(Endpoint endpoint) {
        absentSince.remove(endpoint);
        return at(endpoint);
    }

    /** Closes those that have been in no view for a while. */
    void keep(Set<Endpoint> present) {
        long now = delays.nanoTime();
        nodes.forEach((endpoint, node) -> {
            if (present.contains(endpoint)) {
                absentSince.remove(endpoint);
                return;
            }
            Long since = absentSince.putIfAbsent(endpoint, now);
            if (since != null && now - since > FAREWELL_NANOS && nodes.remove(endpoint, node)) {
                absentSince.remove(endpoint);
                CompletionStage<Void> unused = node.close("it has left the cluster");
            }
        });
    }

    CompletionStage<Void> close(String reason) {
        closed = reason;
        return CompletableFuture.allOf(nodes.values().stream()
                .map(node -> node.close(reason).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new));
    }
}
