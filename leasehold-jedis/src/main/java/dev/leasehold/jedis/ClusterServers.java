package dev.leasehold.jedis;

import dev.leasehold.internal.adapter.ShardChannels;
import dev.leasehold.internal.adapter.ShardTopology;
import dev.leasehold.internal.adapter.Subscriptions;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * The owners of the slots, and the routing of calls by them. Redirections by MOVED or ASK are followed, for what was
 * redirected has not run. What is known is renewed when a node redirects or does not answer, and once in a while.
 *
 * <p>Every node has connections of its own: this is why Jedis' own executor for clusters is not used, which sends again
 * what was not answered, and wherever it likes.
 */
final class ClusterServers {

    /** A slot that moves to and fro while the call follows it is rarer than a cluster whose nodes do not agree. */
    static final int MOST_DETOURS = 5;

    /** The timeout for a node to report the owners of the slots. */
    static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final Logger LOG = LoggerFactory.getLogger(ClusterServers.class);
    private static final List<String> QUESTION = List.of("CLUSTER", "SLOTS");

    private final ClusterNodes.Source source;
    private final ClusterNodes nodes;
    private final TopologyRefresh refresh;
    private final Subscriptions subscriptions;
    private final ShardChannels<ClusterNode, HostAndPort> shards;
    private final SubscriptionHost subscriptionHost = new SubscriptionHost();
    private final Set<ClusterNode> suspects = ConcurrentHashMap.newKeySet();

    private volatile AtomicReferenceArray<@Nullable HostAndPort> owners = new AtomicReferenceArray<>(ClusterView.SLOTS);
    private volatile ClusterView view = new ClusterView(List.of());

    /**
     * Another way.
     *
     * @param node where to
     * @param asking whether the node must be told that it was another that sent the call there (ASK)
     */
    record Detour(ClusterNode node, boolean asking) {}

    /** Creates the object without sending a request. */
    ClusterServers(ClusterNodes.Source source, TimeSource time, long connectTimeoutNanos) {
        this.source = source;
        nodes = new ClusterNodes(
                time, endpoint -> new ClusterNode(endpoint, source.to(endpoint), time, connectTimeoutNanos, this));
        refresh = new TopologyRefresh(time, this::renew);
        subscriptions =
                JedisPubSubConnection.subscriptions(subscriptionHost, connectTimeoutNanos, ChannelKind.PLAIN, null);
        shards = new ShardChannels<>(new KnownTopology());
    }

    /** From now on what is known is kept up to date. */
    void begin() {
        refresh.begin(source.address());
    }

    String address() {
        return source.address();
    }

    ShardChannels<ClusterNode, HostAndPort> shards() {
        return shards;
    }

    /** Those to channels that all nodes have. */
    Subscriptions subscriptions() {
        return subscriptions;
    }

    private @Nullable HostAndPort ownerOf(String key) {
        return owners.get(JedisClusterCRC16.getSlot(key));
    }

    ClusterNode nodeOf(ScriptCall call) {
        return call.keys().isEmpty() ? any() : nodeOf(call.keys().get(0));
    }

    /** Returns the owner of the slot of a key or of a sharded channel, by the known topology. */
    ClusterNode nodeOf(String key) {
        HostAndPort owner = ownerOf(key);
        return owner == null ? any() : nodes.at(owner);
    }

    /** Some primary, one that answers if there is one. */
    ClusterNode any() {
        List<ClusterNode> primaries = primaries();
        return primaries.isEmpty() ? nodes.at(source.seeds().get(0)) : primaries.get(0);
    }

    @Nullable
    ClusterNode find(RedisNode node) {
        HostAndPort endpoint = new HostAndPort(node.host(), node.port());
        return view.all().contains(endpoint) ? nodes.at(endpoint) : null;
    }

    /** In any order, but those that answer first. */
    private List<ClusterNode> primaries() {
        return inOrder(view.primaries());
    }

    private List<ClusterNode> inOrder(Set<HostAndPort> endpoints) {
        List<ClusterNode> shuffled =
                new ArrayList<>(endpoints.stream().map(nodes::at).toList());
        Collections.shuffle(shuffled);
        Set<ClusterNode> order = new LinkedHashSet<>();
        shuffled.stream()
                .filter(node -> node.isAnswering() && !suspects.contains(node))
                .forEach(order::add);
        order.addAll(shuffled);
        return List.copyOf(order);
    }

    /**
     * Returns the node for a call that was refused and so has not run.
     *
     * @return null if it goes nowhere: the error is the answer
     */
    @Nullable
    Detour redirect(RedisErrorException refusal, ClusterNode by) {
        if (refusal.getCause() instanceof JedisRedirectionException redirection) {
            HostAndPort named = redirection.getTargetNode();
            HostAndPort to =
                    named.getHost().isEmpty() ? new HostAndPort(by.endpoint().getHost(), named.getPort()) : named;
            if (redirection instanceof JedisAskDataException) {
                return new Detour(nodes.inUse(to), true);
            }
            refresh.soon();
            int slot = redirection.getSlot();
            if (slot >= 0 && slot < ClusterView.SLOTS) {
                owners.set(slot, to);
            }
            return new Detour(nodes.inUse(to), false);
        }
        if (refusal.code().equals("CLUSTERDOWN") || refusal.code().equals("READONLY")) {
            refresh.soon();
        }
        return null;
    }

    /** Handles the calls of a node's batch thread that the node refused. */
    Redirects detoursFrom(ClusterNode node) {
        return new Redirects() {
            @Override
            public boolean take(BatchThread.Entry call, RedisErrorException refusal) {
                Detour detour = call.detours < MOST_DETOURS ? redirect(refusal, node) : null;
                if (detour == null) {
                    return false;
                }
                call.detours++;
                call.asking = detour.asking();
                detour.node().lane().add(List.of(call));
                return true;
            }

            @Override
            public void unanswered() {
                ClusterServers.this.unanswered(node);
            }
        };
    }

    /** Called when a caller has stopped waiting for an answer of this node. */
    void unanswered(ClusterNode node) {
        suspects.add(node);
        refresh.soon();
    }

    /** The topology as used by sharded subscriptions. */
    private final class KnownTopology implements ShardTopology<ClusterNode, HostAndPort> {

        @Override
        public @Nullable HostAndPort ownerOf(String key) {
            return ClusterServers.this.ownerOf(key);
        }

        @Override
        public ClusterNode nodeOf(String key) {
            return ClusterServers.this.nodeOf(key);
        }

        @Override
        public @Nullable ClusterNode redirect(RedisErrorException refusal, ClusterNode by) {
            Detour detour = ClusterServers.this.redirect(refusal, by);
            return detour == null ? null : detour.node();
        }

        @Override
        public CompletionStage<AutoCloseable> subscribe(ClusterNode node, String channel, ChannelListener listener) {
            return node.ofShard().subscribe(channel, listener);
        }

        @Override
        public void unanswered(ClusterNode node) {
            ClusterServers.this.unanswered(node);
        }
    }

    /** A node has ended a subscription to this channel, as a node does when the slot goes. */
    void gone(ClusterNode from, String channel) {
        shards.serverUnsubscribed(from, channel);
    }

    /** The requests sent periodically and after failures. */
    private void renew() {
        ClusterNode subscribed = subscriptionHost.node;
        if (subscribed != null) {
            // Nothing else would show that the server of the subscriptions has fallen silent.
            suspects.add(subscribed);
        }
        List<ClusterNode> doubted = List.copyOf(suspects);
        try {
            ask(PATIENCE_NANOS);
        } catch (TransportException | RedisErrorException e) {
            LOG.debug("No node of the Redis Cluster answered CLUSTER SLOTS", e);
        }
        for (ClusterNode node : doubted) {
            suspects.remove(node);
            try {
                node.ask(PATIENCE_NANOS, talk -> talk.ask(Commands.of(QUESTION)));
            } catch (RedisErrorException e) {
                LOG.trace("{} answers, if only by an error", node, e);
            } catch (TransportException e) {
                LOG.debug("{} does not answer", node, e);
                // Else all connections are in use, which says nothing about the node.
                if (e.getCause() instanceof JedisException) {
                    onConnectionLost(node);
                }
            }
        }
    }

    private void onConnectionLost(ClusterNode node) {
        node.ofShard().abandon();
        if (subscriptionHost.node == node) {
            subscriptions.abandon();
        }
    }

    /**
     * Reads the owners of the slots.
     *
     * @param timeoutNanos how long to wait for each node
     * @return the answer, by which calls go from now on
     * @throws TransportException if the last one did not answer
     * @throws RedisErrorException if the last one answered with an error
     */
    ClusterView ask(long timeoutNanos) {
        ClusterView fresh = first(node -> ClusterView.parse(
                Replies.nested(node.ask(timeoutNanos, talk -> talk.ask(Commands.of(QUESTION)))),
                node.endpoint().getHost()));
        know(fresh);
        return fresh;
    }

    /** Reads the INFO of the first node that answers; fails as {@link #ask} does. */
    Info info(long timeoutNanos) {
        return first(node -> node.ask(timeoutNanos, talk -> Info.of(Replies.nested(talk.ask(Info.COMMAND)))));
    }

    /** From those that answer first, in any order, so that no single one's stale view persists; the seeds at last. */
    private <T> T first(Function<ClusterNode, T> question) {
        RuntimeException last =
                new TransportException("no node of " + address() + " is known: the given client has none", false, null);
        Set<ClusterNode> candidates = new LinkedHashSet<>(inOrder(view.all()));
        source.seeds().stream().map(nodes::at).forEach(candidates::add);
        for (ClusterNode node : candidates) {
            try {
                return question.apply(node);
            } catch (TransportException | RedisErrorException e) {
                last = e;
            }
        }
        throw last;
    }

    private void know(ClusterView fresh) {
        AtomicReferenceArray<@Nullable HostAndPort> latest = new AtomicReferenceArray<>(ClusterView.SLOTS);
        fresh.ranges().forEach(range -> {
            for (int slot = range.first(); slot <= range.last(); slot++) {
                latest.set(slot, range.primary());
            }
        });
        view = fresh;
        owners = latest;
        shards.topologyChanged(fresh.primaries());
        nodes.keep(fresh.all());
    }

    void close() {
        refresh.close();
        nodes.close();
        subscriptions.close();
    }

    /** Connects plain subscriptions, each time to another primary if there is one. */
    private final class SubscriptionHost implements KeptConnections {

        /** The last one; only the thread that listens changes it. */
        private volatile @Nullable ClusterNode node;

        @Override
        public String address() {
            return source.address();
        }

        @Override
        public Connection open(long timeoutNanos) {
            ClusterNode last = node;
            List<ClusterNode> choice = new ArrayList<>(primaries());
            if (last != null && choice.remove(last)) {
                choice.add(last);
            }
            long timeout = timeoutNanos;
            RuntimeException failure = new TransportException("no primary of " + address() + " is known", false, null);
            for (ClusterNode each : choice) {
                timeout = each == choice.get(choice.size() - 1) ? timeout : timeout / 2;
                try {
                    Connection connection = each.connections().open(timeout);
                    node = each;
                    return connection;
                } catch (TransportException | RedisErrorException e) {
                    failure = e;
                }
            }
            throw failure;
        }

        @Override
        public void end(Connection connection) {
            ClusterNode from = node;
            if (from != null) {
                from.connections().end(connection);
            }
        }
    }
}
