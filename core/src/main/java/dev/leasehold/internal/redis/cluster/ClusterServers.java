package dev.leasehold.internal.redis.cluster;

import dev.leasehold.internal.key.Slots;
import dev.leasehold.internal.redis.path.Failures;
import dev.leasehold.internal.redis.path.Scheduler;
import dev.leasehold.internal.redis.path.ServerRoute;
import dev.leasehold.internal.redis.server.Server;
import dev.leasehold.internal.redis.server.Servers;
import dev.leasehold.internal.redis.shared.Subscriptions;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.PushListener;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a Redis Cluster. Each call goes to the node that has its key's slot by what is known; a redirection by
 * MOVED or ASK is followed, for what was redirected has not run. What is known is renewed when a node redirects, does not
 * answer or has to be connected to again, and once in a while.
 *
 * <p>Every node has connections of its own, and nothing waits for two nodes at once: this is why the cluster connections of
 * clients are not used, whose commands share buffers, and are sent again after a reconnect.
 */
public final class ClusterServers implements Servers {

    private final String address;
    private final List<RedisAddress> named;
    private final ClusterNodes nodes;
    private final TopologyRefresh refresh;
    private final Subscriptions subscriptions;
    private final @Nullable ShardChannels shards;
    private volatile AtomicReferenceArray<@Nullable RedisAddress> owners = new AtomicReferenceArray<>(Slots.COUNT);
    private volatile ClusterView view = new ClusterView(List.of());
    private volatile @Nullable Server topologySource;
    private volatile @Nullable Server subscriptionHost;

    /**
     * Prepares the routing.
     *
     * @param seed the node that is connected
     * @param maker makes the other nodes
     * @param sharding whether its nodes have channels of shards
     */
    public ClusterServers(
            Server seed,
            Function<RedisAddress, Server> maker,
            ConnectorInfo info,
            Scheduler scheduler,
            boolean sharding) {
        address = info.address();
        named = info.primaryName() == null && info.seeds().size() > 1 ? info.seeds() : List.of();
        refresh = new TopologyRefresh(scheduler, this::candidates, this::know);
        shards = sharding ? new ShardChannels(new KnownTopology()) : null;
        nodes = new ClusterNodes(seed, maker, scheduler::nanoTime, this::prepare);
        subscriptions = new Subscriptions(
                new SubscriptionRoute(),
                Subscriptions.Kind.PLAIN,
                info.connectTimeout().toNanos(),
                scheduler);
    }

    private void prepare(Server node) {
        node.onTrouble(this::onConnectionLost);
        if (shards != null) {
            node.onGone(channel -> shards.serverUnsubscribed(node, channel));
        }
    }

    /** Reads the owners of the slots; completed with this object. */
    public CompletionStage<Servers> begin(long patienceNanos) {
        return refresh.first(patienceNanos).thenApply(known -> {
            refresh.begin();
            return this;
        });
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public Server serverOf(ScriptCall call) {
        return call.keys().isEmpty() ? any() : serverOf(call.keys().get(0));
    }

    /** Returns the owner of the slot of a key or of a sharded channel, by the known topology. */
    @Override
    public Server serverOf(String key) {
        RedisAddress owner = ownerOf(key);
        return owner == null ? any() : nodes.at(owner);
    }

    private @Nullable RedisAddress ownerOf(String key) {
        return owners.get(Slots.of(key));
    }

    /** A channel with a hash tag belongs to a shard, if the servers have such channels. */
    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        return shards != null && channel.indexOf('{') >= 0
                ? shards.subscribe(channel, listener)
                : subscriptions.subscribe(channel, listener);
    }

    /** The kinds have channels of their own: a message that is published to one does not reach the subscribers of the other. */
    @Override
    public CompletionStage<AutoCloseable> subscribeToBothKinds(String channel, ChannelListener listener) {
        CompletionStage<AutoCloseable> everywhere = subscriptions.subscribe(channel, listener);
        return shards != null && channel.indexOf('{') >= 0
                ? new DoubleSubscription(everywhere, shards.subscribe(channel, listener))
                : everywhere;
    }

    @Override
    public String shardOf(String key) {
        return shards == null ? "" : shards.tagFor(key);
    }

    @Override
    public CompletionStage<@Nullable Object> command(List<String> args) {
        Server first = any();
        return Failures.bare(first.command(args).exceptionallyCompose(failure -> {
            RuntimeException reason = Failures.of(failure, true, first.address());
            Detour detour = reason instanceof RedisErrorException refusal ? redirect(refusal, first) : null;
            return detour == null || detour.asking()
                    ? CompletableFuture.failedFuture(reason)
                    : detour.server().command(args);
        }));
    }

    private Server any() {
        Server last = topologySource;
        Set<RedisAddress> primaries = view.primaries();
        if (last != null && (primaries.isEmpty() || primaries.contains(last.endpoint()))) {
            return last;
        }
        return primaries.stream()
                .map(nodes::at)
                .filter(Server::isConnected)
                .findFirst()
                .orElseGet(() -> primaries.isEmpty()
                        ? nodes.seed()
                        : nodes.at(primaries.iterator().next()));
    }

    @Override
    public @Nullable Server find(RedisNode node) {
        RedisAddress endpoint = new RedisAddress(node.host(), node.port());
        return view.all().contains(endpoint) ? nodes.at(endpoint) : null;
    }

    @Override
    public CompletionStage<ServerDescription> describe(Set<Capability> capabilities) {
        Set<Capability> all = EnumSet.copyOf(capabilities);
        if (shards != null) {
            all.add(Capability.SHARDED_PUBSUB);
        }
        return Failures.bare(refresh.now()
                .thenCompose(fresh -> any().describe(all)
                        .thenApply(one -> new ServerDescription(one.version(), fresh.nodes(), one.capabilities()))));
    }

    @Override
    public @Nullable Detour redirect(RedisErrorException refusal, Server by) {
        Redirection redirection = Redirection.of(refusal, by.endpoint().host());
        if (redirection != null && redirection.asking()) {
            return new Detour(nodes.inUse(redirection.to()), true);
        }
        if (redirection != null) {
            refresh.soon();
            owners.set(redirection.slot(), redirection.to());
            return new Detour(nodes.inUse(redirection.to()), false);
        }
        if (refusal.code().equals("CLUSTERDOWN") || refusal.code().equals("READONLY")) {
            refresh.soon();
        }
        return null;
    }

    private void onConnectionLost(Server node) {
        refresh.soon();
        node.abandonSubscriptions();
        if (subscriptionHost == node) {
            subscriptions.abandon();
        }
    }

    private void know(Server of, ClusterView fresh) {
        view = fresh;
        topologySource = of;
        AtomicReferenceArray<@Nullable RedisAddress> latest = new AtomicReferenceArray<>(Slots.COUNT);
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

    /** Those that are connected first, in any order, so that no single one's stale view persists; those that were named at last. */
    private List<Server> candidates(boolean routine) {
        List<Server> known = new ArrayList<>(view.all().stream().map(nodes::at).toList());
        Collections.shuffle(known);
        Set<Server> order = new LinkedHashSet<>();
        Server current = subscriptionHost;
        if (routine && current != null) {
            // Nothing else would show that the server of the subscriptions has fallen silent.
            order.add(current);
        }
        known.stream().filter(Server::isConnected).forEach(order::add);
        order.addAll(known);
        order.add(nodes.seed());
        named.forEach(each -> order.add(nodes.at(each)));
        return List.copyOf(order);
    }

    @Override
    public void close(String reason) {
        refresh.close();
        nodes.close(reason);
        subscriptions.close(reason);
    }

    /** Leads to a primary that is connected, and to another one after each loss. */
    private final class SubscriptionRoute implements ServerRoute {

        @Override
        public String address() {
            return address;
        }

        @Override
        public CompletionStage<RedisConnection> connect(
                ConnectionPurpose purpose, PushListener listener, long timeoutNanos) {
            Server last = subscriptionHost;
            List<Server> primaries =
                    new ArrayList<>(view.primaries().stream().map(nodes::at).toList());
            Collections.shuffle(primaries);
            Server chosen = primaries.stream()
                    .filter(node -> node.isConnected() && node != last)
                    .findFirst()
                    .orElseGet(() -> primaries.isEmpty() ? nodes.seed() : primaries.get(0));
            subscriptionHost = chosen;
            return chosen.route().connect(purpose, listener, timeoutNanos);
        }
    }

    /** The topology as used by sharded subscriptions. */
    private final class KnownTopology implements ShardTopology {

        @Override
        public @Nullable RedisAddress ownerOf(String key) {
            return ClusterServers.this.ownerOf(key);
        }

        @Override
        public Server nodeOf(String key) {
            return serverOf(key);
        }

        @Override
        public @Nullable Server redirect(RedisErrorException refusal, Server by) {
            Detour detour = ClusterServers.this.redirect(refusal, by);
            return detour == null ? null : detour.server();
        }

        @Override
        public CompletionStage<AutoCloseable> subscribe(Server node, String channel, ChannelListener listener) {
            return node.subscribeOnShard(channel, listener);
        }

        @Override
        public void outdated() {
            refresh.soon();
        }
    }
}
