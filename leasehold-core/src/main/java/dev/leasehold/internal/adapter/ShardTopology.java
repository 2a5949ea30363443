package dev.leasehold.internal.adapter;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A cluster, as far as channels of its shards have to know it. No method waits.
 *
 * @param <N> a server with its connections
 * @param <A> the address of one
 */
public interface ShardTopology<N, A> {

    /**
     * Who has the slot of a key, or of a channel, by what is known.
     *
     * @param key the key
     * @return null if that is not known
     */
    @Nullable
    A ownerOf(String key);

    /**
     * The same, with its connections.
     *
     * @param key the key
     * @return any server if it is not known
     */
    N nodeOf(String key);

    /**
     * Where one goes who was refused.
     *
     * @param refusal what the server said
     * @param by the server
     * @return null if there is nowhere to go
     */
    @Nullable
    N detour(RedisErrorException refusal, N by);

    /**
     * Subscribes at one server.
     *
     * @param node the server
     * @param channel a channel of a shard
     * @param listener told what is published in it
     * @return completed when it is confirmed, with what ends it
     */
    CompletionStage<AutoCloseable> subscribe(N node, String channel, ChannelListener listener);

    /**
     * Why a subscription failed.
     *
     * @param failure what its stage failed with
     * @param node where
     * @return one of the port's own exceptions
     */
    default Throwable reasonOf(Throwable failure, N node) {
        return failure;
    }

    /**
     * A server does not answer, or has lost what it had: who has which slots is to be asked again.
     *
     * @param node the server
     */
    void unanswered(N node);
}
