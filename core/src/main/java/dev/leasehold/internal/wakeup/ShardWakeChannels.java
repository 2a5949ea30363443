package dev.leasehold.internal.wakeup;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.request.ErrorReactions;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.spi.ChannelListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The channels of shards on which this client receives wake-ups: one for each shard of a cluster on which it has waited,
 * so that a wake-up does not go to all nodes. They only save traffic: without a subscription there, Redis publishes on
 * the client's own channel.
 */
final class ShardWakeChannels {

    private static final Logger LOG = LoggerFactory.getLogger(ShardWakeChannels.class);

    private final LockStore store;
    private final WakeChannel channel;
    private final ChannelListener listener;

    /** By the name of a channel, whether its subscription is confirmed. */
    private final Map<String, Boolean> subscribed = new ConcurrentHashMap<>();

    ShardWakeChannels(LockStore store, WakeChannel channel, ChannelListener listener) {
        this.store = store;
        this.channel = channel;
        this.listener = listener;
    }

    /** Returns the channel for wake-ups of this lock: that of its shard if it is subscribed to, else the client's own. */
    String channelOf(LockKey key) {
        String name = channel.name(store.shardOf(key.key()));
        if (name.equals(channel.name())) {
            return name;
        }
        if (!subscribed.containsKey(name) && subscribed.putIfAbsent(name, false) == null) {
            subscribe(name);
        }
        return subscribed.getOrDefault(name, false) ? name : channel.name();
    }

    private void subscribe(String name) {
        try {
            store.subscribe(name, listener).whenComplete((subscription, failure) -> {
                if (failure == null) {
                    subscribed.put(name, true);
                } else {
                    notSubscribed(name, failure);
                }
            });
        } catch (RuntimeException e) {
            notSubscribed(name, e);
        }
    }

    private void notSubscribed(String name, Throwable failure) {
        RuntimeException reason = RequestFailures.unwrap(failure);
        if (ErrorReactions.isNotPermitted(reason)) {
            LOG.info(
                    "Redis refuses a channel of a shard, so that wake-ups go through all nodes of the cluster. Grant the"
                            + " user +ssubscribe and +spublish, as docs/operations.md says: {}",
                    RequestFailures.reason(reason));
        } else {
            LOG.debug("a channel of a shard cannot be subscribed to now: {}", RequestFailures.reason(reason));
            subscribed.remove(name);
        }
    }
}
