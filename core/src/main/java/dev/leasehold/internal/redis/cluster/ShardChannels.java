package dev.leasehold.internal.redis.cluster;

import dev.leasehold.internal.redis.path.Failures;
import dev.leasehold.internal.redis.server.Server;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisAddress;
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

/**
 * The subscriptions to sharded channels. Each subscription is at the primary that owns the channel's slot, and follows
 * the slot when it moves. Each primary has one connection for all of its channels. Lock-free and safe for use by any
 * thread.
 */
final class ShardChannels {

    private static final Logger LOG = LoggerFactory.getLogger(ShardChannels.class);

    /** Enough candidates that even a shard with a single slot almost certainly gets a tag. */
    private static final int MAX_TAGS = 100_000;

    private static final int RADIX = 36;
    private static final int MAX_REDIRECTS = 5;

    /** The errors after which a later attempt may succeed. */
    private final ShardTopology shards;

    private final Set<ShardSubscription> all = ConcurrentHashMap.newKeySet();
    private volatile Map<RedisAddress, String> tags = Map.of();

    /**
     * Creates the subscriptions of a cluster whose topology is not known yet.
     *
     * @param shards the cluster
     */
    ShardChannels(ShardTopology shards) {
        this.shards = shards;
    }

    /**
     * Returns a hash tag of the shard that owns a key.
     *
     * @param key the key
     * @return the tag, the same for all keys of the shard; empty if none is known
     */
    String tagFor(String key) {
        RedisAddress owner = shards.ownerOf(key);
        return owner == null ? "" : tags.getOrDefault(owner, "");
    }

    /**
     * Adapts to a possible change of slot owners. RedisAddress tag, and with it its subscribers, stays as long as its slot belongs
     * to the same shard.
     *
     * @param primaries all primaries with slots
     */
    void topologyChanged(Set<RedisAddress> primaries) {
        Map<RedisAddress, String> latest = new HashMap<>();
        tags.forEach((shard, tag) -> {
            if (shard.equals(shards.ownerOf(tag))) {
                latest.put(shard, tag);
            }
        });
        for (int n = 0; n < MAX_TAGS && !latest.keySet().containsAll(primaries); n++) {
            String tag = Integer.toString(n, RADIX);
            RedisAddress owner = shards.ownerOf(tag);
            if (owner != null) {
                latest.putIfAbsent(owner, tag);
            }
        }
        tags = Map.copyOf(latest);
        all.forEach(ShardSubscription::follow);
    }

    /**
     * Subscribes.
     *
     * @param channel a sharded channel
     * @param listener notified of messages, and when messages may have been missed
     * @return a stage with a handle that ends the subscription, completed once the owner of the slot has confirmed it
     */
    CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        ShardSubscription subscription = new ShardSubscription(channel, listener);
        all.add(subscription);
        subscription.follow();
        return subscription;
    }

    /**
     * Handles the end of the subscriptions to a channel by its node, as happens when the slot moves away.
     *
     * @param from the node
     * @param channel the channel
     */
    void serverUnsubscribed(Server from, String channel) {
        all.stream()
                .filter(subscription -> subscription.channel.equals(channel))
                .forEach(subscription -> subscription.serverUnsubscribed(from));
    }

    /** The node at which a subscription is, or is about to be. */
    private static final class Placement {
        final Server node;
        final int redirects;
        final CompletableFuture<AutoCloseable> subscription = new CompletableFuture<>();

        Placement(Server node, int redirects) {
            this.node = node;
            this.redirects = redirects;
        }

        void end() {
            CompletableFuture<Void> unused = subscription.thenAccept(open -> {
                try {
                    open.close();
                } catch (Exception e) {
                    LOG.debug("RedisAddress subscription at {} did not end", node, e);
                }
            });
        }
    }

    /**
     * RedisAddress subscription that follows its slot: the stage returned to the caller and, once confirmed, the handle that ends
     * it.
     */
    private final class ShardSubscription extends CompletableFuture<AutoCloseable> implements AutoCloseable {
        private final String channel;
        private final ChannelListener listener;
        private final AtomicReference<@Nullable Placement> placement = new AtomicReference<>();
        private volatile boolean closed;

        ShardSubscription(String channel, ChannelListener listener) {
            this.channel = channel;
            this.listener = listener;
        }

        /** Moves to the present owner of the slot. */
        void follow() {
            moveTo(shards.nodeOf(channel), 0);
        }

        private void moveTo(Server node, int redirects) {
            Placement last = placement.get();
            Placement next = new Placement(node, redirects);
            if (closed || (last != null && last.node == node) || !placement.compareAndSet(last, next)) {
                return;
            }
            if (last != null) {
                last.end();
            }
            if (closed) {
                close();
                return;
            }
            shards.subscribe(node, channel, listener)
                    .whenComplete((subscription, failure) -> answered(next, subscription, failure));
        }

        private void answered(Placement placed, AutoCloseable subscription, @Nullable Throwable failure) {
            if (failure != null) {
                placed.subscription.completeExceptionally(failure);
                if (placement.compareAndSet(placed, null)) {
                    refused(placed, Failures.of(failure, true, placed.node.address()));
                }
                return;
            }
            placed.subscription.complete(subscription);
            if (placement.get() == placed && !complete(this)) {
                listener.resubscribed();
            }
        }

        private void refused(Placement from, Throwable failure) {
            RedisErrorException refusal = failure instanceof RedisErrorException error ? error : null;
            Server elsewhere =
                    refusal != null && from.redirects < MAX_REDIRECTS ? shards.redirect(refusal, from.node) : null;
            if (elsewhere != null) {
                moveTo(elsewhere, from.redirects + 1);
                return;
            }
            boolean transientError = !Failures.isMissingRight(failure);
            if (!isDone()) {
                completeExceptionally(
                        refusal != null && transientError
                                ? new TransportException("no shard takes " + refusal.getMessage(), true, refusal)
                                : failure);
                close();
            } else if (transientError) {
                // The next topology names the owner.
                shards.outdated();
            } else {
                LOG.warn("Redis at {} refused to renew a subscription", from.node, failure);
            }
        }

        void serverUnsubscribed(Server from) {
            Placement last = placement.get();
            if (last != null && last.node == from && placement.compareAndSet(last, null)) {
                // The topology may still name this node; then its redirect names the new owner.
                shards.outdated();
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
            Placement last = placement.getAndSet(null);
            if (last != null) {
                last.end();
            }
        }
    }
}
