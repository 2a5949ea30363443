package dev.leasehold.internal.redis.cluster;

import dev.leasehold.internal.redis.server.Server;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisErrorException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The topology of a cluster, as needed for sharded channels. No method blocks.
 */
interface ShardTopology {

    /**
     * Returns the owner of the slot of a key or a channel, by the topology known now.
     *
     * @param key the key
     * @return the address, or null if it is not known
     */
    @Nullable
    RedisAddress ownerOf(String key);

    /**
     * Returns the owner of the slot with its connections.
     *
     * @param key the key
     * @return the owner, or any server if it is not known
     */
    Server nodeOf(String key);

    /**
     * Returns the server that an error redirects to.
     *
     * @param refusal the error
     * @param by the server that returned it
     * @return the server, or null if the error names none
     */
    @Nullable
    Server redirect(RedisErrorException refusal, Server by);

    /**
     * Subscribes at one server.
     *
     * @param node the server
     * @param channel a sharded channel
     * @param listener notified of its messages
     * @return a stage with a handle that ends the subscription, completed once it is confirmed
     */
    CompletionStage<AutoCloseable> subscribe(Server node, String channel, ChannelListener listener);

    /** Reports that a server does not answer or no longer owns a slot, so that the topology must be read again. */
    void outdated();
}
