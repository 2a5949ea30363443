package dev.leasehold.lettuce;

import dev.leasehold.internal.adapter.ShardChannels;
import dev.leasehold.internal.adapter.ShardTopology;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a Redis Cluster. Each call goes to the node that has its key's slot by what is known; a redirection by
 * MOVED or ASK is followed, for what was redirected has not run. What is known is renewed when a node redirects, does not
 * answer or has to be connected to again, and once in a while.
 *
 * <p>Every node has connections of its own, and nothing waits for two nodes at once: this is why Lettuce's own cluster
 * connection is not used, whose commands share buffers, and are sent again after a reconnect.
 */
final class ClusterServers implements Servers {

    private final ClusterNodes nodes;
    private final TopologyRefresh refresh;
    private final @Nullable ShardChannels<LettuceNode, Endpoint> shards;
    private volatile AtomicReferenceArray<@Nullable Endpoint> owners = new AtomicReferenceArray<>(ClusterView.SLOTS);
    private volatile ClusterView view = new ClusterView(List.of());
    private volatile @Nullable LettuceNode topologySource;
    private volatile @Nullable SubscriptionHost subscriptionHost;

    /** The host of the plain subscriptions. */
    private record SubscriptionHost(LettuceNode node, Runnable abandon) {}

    /**
     * Prepares the routing.
     *
     * @param nodes makes the nodes, given what to call with each before its first use
     * @param delays where the questions are scheduled
     * @param sharding whether its nodes have channels of shards
     */
    ClusterServers(Function<Consumer<LettuceNode>, ClusterNodes> nodes, Delays delays, boolean sharding) {
        refresh = new TopologyRefresh(delays, this::candidates, this::know);
        shards = sharding ? new ShardChannels<>(new KnownTopology()) : null;
        this.nodes = nodes.apply(this::prepare);
    }

    private void prepare(LettuceNode node) {
        node.onTrouble(this::onConnectionLost);
        if (shards != null) {
            node.onGone(channel -> shards.serverUnsubscribed(node, channel));
        }
    }

    /** Reads the owners of the slots; completed with this object. */
    CompletionStage<Servers> begin(long patienceNanos) {
        return refresh.first(patienceNanos).thenApply(known -> {
            refresh.begin();
            return this;
        });
    }

    @Override
    public String address() {
        return nodes.address();
    }

    @Override
    public LettuceNode nodeOf(ScriptCall call) {
        return call.keys().isEmpty() ? any() : nodeOf(call.keys().get(0));
    }

    /** Returns the owner of the slot of a key or of a sharded channel, by the known topology. */
    @Override
    public LettuceNode nodeOf(String key) {
        Endpoint owner = ownerOf(key);
        return owner == null ? any() : nodes.at(owner);
    }

    private @Nullable Endpoint ownerOf(String key) {
        return owners.get(SlotHash.getSlot(key.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public @Nullable ShardChannels<LettuceNode, Endpoint> shardChannels() {
        return shards;
    }

    @Override
    public CompletionStage<@Nullable Object> command(List<String> args) {
        LettuceNode first = any();
        return Failures.bare(first.command(args).exceptionallyCompose(failure -> {
            RuntimeException reason = Failures.of(failure, true, first.address());
            Detour detour =
                    reason instanceof RedisErrorException ? redirect(String.valueOf(reason.getMessage()), first) : null;
            return detour == null || detour.asking()
                    ? CompletableFuture.failedFuture(reason)
                    : detour.node().command(args);
        }));
    }

    private LettuceNode any() {
        LettuceNode last = topologySource;
        Set<Endpoint> primaries = view.primaries();
        if (last != null && (primaries.isEmpty() || primaries.contains(last.endpoint()))) {
            return last;
        }
        return primaries.stream()
                .map(nodes::at)
                .filter(LettuceNode::isConnected)
                .findFirst()
                .orElseGet(() -> primaries.isEmpty()
                        ? nodes.seed()
                        : nodes.at(primaries.iterator().next()));
    }

    @Override
    public @Nullable LettuceNode find(RedisNode node) {
        Endpoint endpoint = new Endpoint(node.host(), node.port());
        return view.all().contains(endpoint) ? nodes.at(endpoint) : null;
    }

    @Override
    public CompletionStage<ServerDescription> describe(Set<Capability> capabilities) {
        return Failures.bare(refresh.now()
                .thenCompose(fresh -> any().describe(capabilities)
                        .thenApply(one -> new ServerDescription(one.version(), fresh.nodes(), one.capabilities()))));
    }

    @Override
    public boolean standalone() {
        return false;
    }

    @Override
    public @Nullable Detour redirect(String error, LettuceNode by) {
        Redirection redirection = Redirection.of(error, by.host());
        if (redirection != null && redirection.asking()) {
            return new Detour(nodes.inUse(redirection.to()), true);
        }
        if (redirection != null) {
            refresh.soon();
            owners.set(redirection.slot(), redirection.to());
            return new Detour(nodes.inUse(redirection.to()), false);
        }
        if (error.startsWith("CLUSTERDOWN") || error.startsWith("READONLY")) {
            refresh.soon();
        }
        return null;
    }

    @Override
    public void unanswered(LettuceNode node) {
        refresh.soon();
    }

    private void onConnectionLost(LettuceNode node) {
        refresh.soon();
        node.abandonSubscriptions();
        SubscriptionHost current = subscriptionHost;
        if (current != null && current.node() == node) {
            current.abandon().run();
        }
    }

    private void know(LettuceNode of, ClusterView fresh) {
        view = fresh;
        topologySource = of;
        AtomicReferenceArray<@Nullable Endpoint> latest = new AtomicReferenceArray<>(ClusterView.SLOTS);
        fresh.ranges().forEach(range -> {
            for (int slot = range.first(); slot <= range.last(); slot++) {
                latest.set(slot, range.primary());
            }
        });
        owners = latest;
        if (shards != null) {
            shards.topologyChanged(fresh.primaries());
        }
        nodes.keep(fresh.all());
    }

    /** Those that are connected first, in any order, so that no single one's stale view persists; the seed at last. */
    private List<LettuceNode> candidates(boolean routine) {
        List<LettuceNode> known =
                new ArrayList<>(view.all().stream().map(nodes::at).toList());
        Collections.shuffle(known);
        Set<LettuceNode> order = new LinkedHashSet<>();
        SubscriptionHost current = subscriptionHost;
        if (routine && current != null) {
            // Nothing else would show that the server of the subscriptions has fallen silent.
            order.add(current.node());
        }
        known.stream().filter(LettuceNode::isConnected).forEach(order::add);
        order.addAll(known);
        order.add(nodes.seed());
        return List.copyOf(order);
    }

    @Override
    public CompletionStage<StatefulRedisPubSubConnection<String, String>> connectPubSub(Runnable abandon) {
        SubscriptionHost last = subscriptionHost;
        List<LettuceNode> primaries =
                new ArrayList<>(view.primaries().stream().map(nodes::at).toList());
        Collections.shuffle(primaries);
        LettuceNode chosen = primaries.stream()
                .filter(node -> node.isConnected() && (last == null || node != last.node()))
                .findFirst()
                .orElseGet(() -> primaries.isEmpty() ? nodes.seed() : primaries.get(0));
        subscriptionHost = new SubscriptionHost(chosen, abandon);
        return chosen.connectPubSub(abandon);
    }

    @Override
    public CompletionStage<Void> close(String reason) {
        refresh.close();
        return nodes.close(reason);
    }

    /** The topology as used by sharded subscriptions. */
    private final class KnownTopology implements ShardTopology<LettuceNode, Endpoint> {

        @Override
        public @Nullable Endpoint ownerOf(String key) {
            return ClusterServers.this.ownerOf(key);
        }

        @Override
        public LettuceNode nodeOf(String key) {
            return ClusterServers.this.nodeOf(key);
        }

        @Override
        public @Nullable LettuceNode redirect(RedisErrorException refusal, LettuceNode by) {
            Detour detour = ClusterServers.this.redirect(String.valueOf(refusal.getMessage()), by);
            return detour == null ? null : detour.node();
        }

        @Override
        public CompletionStage<AutoCloseable> subscribe(LettuceNode node, String channel, ChannelListener listener) {
            return node.subscribeOnShard(channel, listener);
        }

        @Override
        public Throwable reasonOf(Throwable failure, LettuceNode node) {
            return Failures.of(failure, true, node.address());
        }

        @Override
        public void unanswered(LettuceNode node) {
            ClusterServers.this.unanswered(node);
        }
    }
}
