package dev.leasehold.internal.adapter;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The topology of a cluster, as needed for sharded channels. No method blocks.
 *
 * @param <N> a server with its connections
 * @param <A> the address of one
 */
public interface ShardTopology<N, A> {

    /**
     * Returns the owner of the slot of a key or a channel, by the topology known now.
     *
     * @param key the key
     * @return the address, or null if it is not known
     */
    @Nullable
    A ownerOf(String key);

    /**
     * Returns the owner of the slot with its connections.
     *
     * @param key the key
     * @return the owner, or any server if it is not known
     */
    N nodeOf(String key);

    /**
     * Returns the server that an error redirects to.
     *
     * @param refusal the error
     * @param by the server that returned it
     * @return the server, or null if the error names none
     */
    @Nullable
    N redirect(RedisErrorException refusal, N by);

    /**
     * Subscribes at one server.
     *
     * @param node the server
     * @param channel a sharded channel
     * @param listener notified of its messages
     * @return a stage with a handle that ends the subscription, completed once it is confirmed
     */
    CompletionStage<AutoCloseable> subscribe(N node, String channel, ChannelListener listener);

    /**
     * Translates the failure of a subscription.
     *
     * @param failure the failure of its stage
     * @param node the server
     * @return one of the port's exceptions
     */
    default Throwable reasonOf(Throwable failure, N node) {
        return failure;
    }

    /**
     * Reports that a server does not answer or no longer owns a slot, so that the topology must be read again.
     *
     * @param node the server
     */
    void unanswered(N node);
}
