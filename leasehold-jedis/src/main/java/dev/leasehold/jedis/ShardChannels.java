package dev.leasehold.jedis;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;

/**
 * The subscriptions to channels of shards: each is kept at the primary that has the channel's slot, and follows the slot
 * when it moves. Each primary has one connection for all of its channels. Free of locks.
 */
final class ShardChannels {

    private static final Logger LOG = LoggerFactory.getLogger(ShardChannels.class);

    /** Enough that even a shard with one slot only is almost certain to have a tag. */
    private static final int MOST_TAGS = 100_000;

    private static final int RADIX = 36;

    /** What a node refuses for a while only. */
    private static final Set<String> PASSING = Set.of("MOVED", "CLUSTERDOWN", "LOADING");

    private final ClusterServers servers;
    private final Set<Moving> all = ConcurrentHashMap.newKeySet();
    private volatile Map<HostAndPort, String> tags = Map.of();

    ShardChannels(ClusterServers servers) {
        this.servers = servers;
    }

    /** A hash tag of the shard that has the key, the same for all of its keys; empty if none is known. */
    String tagFor(String key) {
        HostAndPort owner = servers.ownerOf(ClusterServers.slot(key));
        return owner == null ? "" : tags.getOrDefault(owner, "");
    }

    /** The owners of slots may have changed. A tag stays as long as it is of use, and so do its subscribers. */
    void know(Set<HostAndPort> primaries) {
        Map<HostAndPort, String> latest = new HashMap<>();
        tags.forEach((shard, tag) -> {
            if (shard.equals(servers.ownerOf(ClusterServers.slot(tag)))) {
                latest.put(shard, tag);
            }
        });
        for (int n = 0; n < MOST_TAGS && !latest.keySet().containsAll(primaries); n++) {
            String tag = Integer.toString(n, RADIX);
            HostAndPort owner = servers.ownerOf(ClusterServers.slot(tag));
            if (owner != null) {
                latest.putIfAbsent(owner, tag);
            }
        }
        tags = Map.copyOf(latest);
        all.forEach(Moving::follow);
    }

    CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        Moving moving = new Moving(channel, listener);
        all.add(moving);
        moving.follow();
        return moving;
    }

    /** A node has ended subscriptions to this channel, as a node does when the slot goes. */
    void gone(ClusterNode from, String channel) {
        all.stream().filter(moving -> moving.channel.equals(channel)).forEach(moving -> moving.gone(from));
    }

    /** Where a subscription is, or is about to be. */
    private static final class Stay {
        final ClusterNode node;
        final int detours;
        final CompletableFuture<AutoCloseable> subscription = new CompletableFuture<>();

        Stay(ClusterNode node, int detours) {
            this.node = node;
            this.detours = detours;
        }

        void end() {
            CompletableFuture<Void> unused = subscription.thenAccept(open -> {
                try {
                    open.close();
                } catch (Exception e) {
                    LOG.debug("A subscription at {} did not end", node, e);
                }
            });
        }
    }

    /** A subscription wherever it is: the stage its caller gets and, once confirmed, what ends it. */
    private final class Moving extends CompletableFuture<AutoCloseable> implements AutoCloseable {
        private final String channel;
        private final ChannelListener listener;
        private final AtomicReference<@Nullable Stay> stay = new AtomicReference<>();
        private volatile boolean closed;

        Moving(String channel, ChannelListener listener) {
            this.channel = channel;
            this.listener = listener;
        }

        /** Goes to where the slot is now. */
        void follow() {
            goTo(servers.nodeOf(channel), 0);
        }

        private void goTo(ClusterNode node, int detours) {
            Stay last = stay.get();
            Stay next = new Stay(node, detours);
            if (closed || (last != null && last.node == node) || !stay.compareAndSet(last, next)) {
                return;
            }
            if (last != null) {
                last.end();
            }
            if (closed) {
                close();
                return;
            }
            node.ofShard()
                    .subscribe(channel, listener)
                    .whenComplete((subscription, failure) -> answered(next, subscription, failure));
        }

        private void answered(Stay here, AutoCloseable subscription, @Nullable Throwable failure) {
            if (failure != null) {
                here.subscription.completeExceptionally(failure);
                if (stay.compareAndSet(here, null)) {
                    turnedAway(here, failure);
                }
                return;
            }
            here.subscription.complete(subscription);
            if (stay.get() == here && !complete(this)) {
                listener.resubscribed();
            }
        }

        private void turnedAway(Stay from, Throwable failure) {
            RedisErrorException refusal = failure instanceof RedisErrorException error ? error : null;
            ClusterServers.Detour detour = refusal != null && from.detours < ClusterServers.MOST_DETOURS
                    ? servers.detour(refusal, from.node)
                    : null;
            if (detour != null) {
                goTo(detour.node(), from.detours + 1);
                return;
            }
            boolean passing = refusal == null || PASSING.contains(refusal.code());
            if (!isDone()) {
                completeExceptionally(
                        refusal != null && passing
                                ? new TransportException("no shard takes " + refusal.getMessage(), true, refusal)
                                : failure);
                close();
            } else if (passing) {
                // What is known next tells where to go.
                servers.unanswered(from.node);
            } else {
                LOG.warn("Redis at {} refused to renew a subscription", from.node, failure);
            }
        }

        void gone(ClusterNode from) {
            Stay last = stay.get();
            if (last != null && last.node == from && stay.compareAndSet(last, null)) {
                // It may not be known yet where to; then this node says so.
                servers.unanswered(from);
                follow();
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            if (cancelled) {
                close();
            }
            return cancelled;
        }

        @Override
        public void close() {
            closed = true;
            all.remove(this);
            Stay last = stay.getAndSet(null);
            if (last != null) {
                last.end();
            }
        }
    }
}
