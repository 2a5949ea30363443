package dev.leasehold.internal.adapter;

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

/**
 * The subscriptions to channels of shards: each is kept at the primary that has the channel's slot, and follows the slot
 * when it moves. Each primary has one connection for all of its channels. Free of locks; methods may be called by any thread.
 *
 * @param <N> a server with its connections
 * @param <A> the address of one
 */
public final class ShardChannels<N, A> {

    private static final Logger LOG = LoggerFactory.getLogger(ShardChannels.class);

    /** Enough that even a shard with one slot only is almost certain to have a tag. */
    private static final int MOST_TAGS = 100_000;

    private static final int RADIX = 36;
    private static final int MOST_DETOURS = 5;

    /** What a node refuses for a while only. */
    private static final Set<String> PASSING = Set.of("MOVED", "CLUSTERDOWN", "LOADING");

    private final ShardTopology<N, A> shards;
    private final Set<Moving> all = ConcurrentHashMap.newKeySet();
    private volatile Map<A, String> tags = Map.of();

    /**
     * Of a cluster of which nothing is known yet.
     *
     * @param shards the cluster
     */
    public ShardChannels(ShardTopology<N, A> shards) {
        this.shards = shards;
    }

    /**
     * A hash tag of the shard that has a key.
     *
     * @param key the key
     * @return the same for all keys of the shard; empty if none is known
     */
    public String tagFor(String key) {
        A owner = shards.ownerOf(key);
        return owner == null ? "" : tags.getOrDefault(owner, "");
    }

    /**
     * The owners of slots may have changed. A tag stays as long as it is of use, and so do its subscribers.
     *
     * @param primaries all that have slots
     */
    public void know(Set<A> primaries) {
        Map<A, String> latest = new HashMap<>();
        tags.forEach((shard, tag) -> {
            if (shard.equals(shards.ownerOf(tag))) {
                latest.put(shard, tag);
            }
        });
        for (int n = 0; n < MOST_TAGS && !latest.keySet().containsAll(primaries); n++) {
            String tag = Integer.toString(n, RADIX);
            A owner = shards.ownerOf(tag);
            if (owner != null) {
                latest.putIfAbsent(owner, tag);
            }
        }
        tags = Map.copyOf(latest);
        all.forEach(Moving::follow);
    }

    /**
     * Subscribes.
     *
     * @param channel a channel of a shard
     * @param listener told what is published in it, and when something may have been missed
     * @return completed when the server that has it has confirmed, with what ends it
     */
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        Moving moving = new Moving(channel, listener);
        all.add(moving);
        moving.follow();
        return moving;
    }

    /**
     * A node has ended subscriptions to a channel, as a node does when the slot goes.
     *
     * @param from the node
     * @param channel the channel
     */
    public void gone(N from, String channel) {
        all.stream().filter(moving -> moving.channel.equals(channel)).forEach(moving -> moving.gone(from));
    }

    /** Where a subscription is, or is about to be. */
    private static final class Stay<N> {
        final N node;
        final int detours;
        final CompletableFuture<AutoCloseable> subscription = new CompletableFuture<>();

        Stay(N node, int detours) {
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
        private final AtomicReference<@Nullable Stay<N>> stay = new AtomicReference<>();
        private volatile boolean closed;

        Moving(String channel, ChannelListener listener) {
            this.channel = channel;
            this.listener = listener;
        }

        /** Goes to where the slot is now. */
        void follow() {
            goTo(shards.nodeOf(channel), 0);
        }

        private void goTo(N node, int detours) {
            Stay<N> last = stay.get();
            Stay<N> next = new Stay<>(node, detours);
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
            shards.subscribe(node, channel, listener)
                    .whenComplete((subscription, failure) -> answered(next, subscription, failure));
        }

        private void answered(Stay<N> here, AutoCloseable subscription, @Nullable Throwable failure) {
            if (failure != null) {
                here.subscription.completeExceptionally(failure);
                if (stay.compareAndSet(here, null)) {
                    turnedAway(here, shards.reasonOf(failure, here.node));
                }
                return;
            }
            here.subscription.complete(subscription);
            if (stay.get() == here && !complete(this)) {
                listener.resubscribed();
            }
        }

        private void turnedAway(Stay<N> from, Throwable failure) {
            RedisErrorException refusal = failure instanceof RedisErrorException error ? error : null;
            N elsewhere = refusal != null && from.detours < MOST_DETOURS ? shards.detour(refusal, from.node) : null;
            if (elsewhere != null) {
                goTo(elsewhere, from.detours + 1);
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
                shards.unanswered(from.node);
            } else {
                LOG.warn("Redis at {} refused to renew a subscription", from.node, failure);
            }
        }

        void gone(N from) {
            Stay<N> last = stay.get();
            if (last != null && last.node == from && stay.compareAndSet(last, null)) {
                // It may not be known yet where to; then this node says so.
                shards.unanswered(from);
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
            Stay<N> last = stay.getAndSet(null);
            if (last != null) {
                last.end();
            }
        }
    }
}
