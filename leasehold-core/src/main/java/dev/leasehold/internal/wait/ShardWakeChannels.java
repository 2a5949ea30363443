package dev.leasehold.internal.wait;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisTransport;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The channels of shards on which this client hears wake-ups: one for each shard of a cluster on which it has waited, so
 * that a wake-up does not go to all nodes. They save traffic, and no more: what nobody hears there is published on the
 * client's own channel.
 */
final class ShardWakeChannels {

    private static final Logger LOG = LoggerFactory.getLogger(ShardWakeChannels.class);

    private final RedisTransport transport;
    private final WakeChannel channel;
    private final ChannelListener listener;

    /** Whether the channel is heard, by its name. */
    private final Map<String, Boolean> heard = new ConcurrentHashMap<>();

    ShardWakeChannels(RedisTransport transport, WakeChannel channel, ChannelListener listener) {
        this.transport = transport;
        this.channel = channel;
        this.listener = listener;
    }

    /** Where wake-ups for this lock are to be published: on its shard if that is heard, else on the client's channel. */
    String channelOf(LockKey key) {
        String name = channel.name(transport.shardOf(key.key()));
        if (name.equals(channel.name())) {
            return name;
        }
        if (!heard.containsKey(name) && heard.putIfAbsent(name, false) == null) {
            subscribe(name);
        }
        return heard.getOrDefault(name, false) ? name : channel.name();
    }

    private void subscribe(String name) {
        try {
            transport.subscribe(name, listener).whenComplete((subscription, failure) -> {
                if (failure == null) {
                    heard.put(name, true);
                } else {
                    notHeard(name, failure);
                }
            });
        } catch (RuntimeException e) {
            notHeard(name, e);
        }
    }

    private void notHeard(String name, Throwable failure) {
        RuntimeException reason = RequestFailures.unwrap(failure);
        if (reason instanceof RedisErrorException) {
            LOG.info(
                    "Redis refuses a channel of a shard, so that wake-ups go through all nodes of the cluster. Grant the"
                            + " user +ssubscribe and +spublish, as docs/operations.md says: {}",
                    RequestFailures.reason(reason));
        } else {
            LOG.debug("a channel of a shard cannot be heard now: {}", RequestFailures.reason(reason));
            heard.remove(name);
        }
    }
}
