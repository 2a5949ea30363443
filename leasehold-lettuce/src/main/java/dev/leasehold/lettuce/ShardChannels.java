package dev.leasehold.lettuce;

import dev.leasehold.lettuce.Servers.Detour;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
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

/**
 * The subscriptions to channels of shards: each is kept at the primary that has the channel's slot, and follows the slot
 * when it moves. Each primary has one connection for all of its channels. Free of locks.
 */
final class ShardChannels {

    private static final Logger LOG = LoggerFactory.getLogger(ShardChannels.class);

    /** Enough that even a shard with one slot only is almost certain to have a tag. */
    private static final int MOST_TAGS = 100_000;

    private static final int RADIX = 36;
    private static final int MOST_DETOURS = 5;

    private final ClusterServers servers;
    private final Set<Moving> all = ConcurrentHashMap.newKeySet();
    private volatile Map<Endpoint, String> tags = Map.of();

    ShardChannels(ClusterServers servers) {
        this.servers = servers;
    }

    static int slot(String key) {
        return SlotHash.getSlot(key.getBytes(StandardCharsets.UTF_8));
    }

    /** A hash tag of the shard that has the key, the same for all of its keys; empty if none is known. */
    String tagFor(String key) {
        Endpoint owner = servers.ownerOf(slot(key));
        return owner == null ? "" : tags.getOrDefault(owner, "");
    }

    /** The owners of slots may have changed. A tag stays as long as it is of use, and so do its subscribers. */
    void know(Set<Endpoint> primaries) {
        Map<Endpoint, String> latest = new HashMap<>();
        tags.forEach((shard, tag) -> {
            if (shard.equals(servers.ownerOf(slot(tag)))) {
                latest.put(shard, tag);
            }
        });
        for (int n = 0; n < MOST_TAGS && !latest.keySet().containsAll(primaries); n++) {
            String tag = Integer.toString(n, RADIX);
            Endpoint owner = servers.ownerOf(slot(tag));
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
    void gone(LettuceNode from, String channel) {
        all.stream().filter(moving -> moving.channel.equals(channel)).forEach(moving -> moving.gone(from));
    }

    /** Where a subscription is, or is about to be. */
    private static final class Stay {
        final LettuceNode node;
        final int detours;
        final CompletableFuture<AutoCloseable> subscription = new CompletableFuture<>();

        Stay(LettuceNode node, int detours) {
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

        private void goTo(LettuceNode node, int detours) {
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
            node.subscribeOnShard(channel, listener)
                    .whenComplete((subscription, failure) -> answered(next, subscription, failure));
        }

        private void answered(Stay here, AutoCloseable subscription, @Nullable Throwable failure) {
            if (failure != null) {
                here.subscription.completeExceptionally(failure);
                if (stay.compareAndSet(here, null)) {
                    turnedAway(here, Failures.of(failure, true, here.node.address()));
                }
                return;
            }
            here.subscription.complete(subscription);
            if (stay.get() == here && !complete(this)) {
                listener.resubscribed();
            }
        }

        private void turnedAway(Stay from, RuntimeException failure) {
            boolean refused = failure instanceof RedisErrorException;
            String error = refused ? String.valueOf(failure.getMessage()) : "";
            Detour detour = from.detours < MOST_DETOURS ? servers.detour(error, from.node) : null;
            if (detour != null) {
                goTo(detour.node(), from.detours + 1);
                return;
            }
            boolean passing = !refused || isPassing(error);
            if (!isDone()) {
                completeExceptionally(
                        refused && passing
                                ? new TransportException("no shard takes " + error, true, failure)
                                : failure);
                close();
            } else if (passing) {
                // What is known next tells where to go.
                servers.unanswered(from.node);
            } else {
                LOG.warn("Redis at {} refused to renew a subscription", from.node, failure);
            }
        }

        private static boolean isPassing(String error) {
            return error.startsWith("MOVED ") || error.startsWith("CLUSTERDOWN") || error.startsWith("LOADING");
        }

        void gone(LettuceNode from) {
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
