package dev.leasehold.internal.store;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.InvalidationListener;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The port of the engine to the servers that keep locks: one Redis, or a quorum of servers. Safe for
 * use by any thread; never runs its caller's code under its own locks.
 *
 * <p>Futures fail with {@link dev.leasehold.spi.RedisErrorException} if Redis answered with an error, and with {@link
 * dev.leasehold.spi.TransportException} if no answer came or it could not be read. No method throws instead. A caller that
 * stops waiting cancels the future, so that the transport suspects a connection on which nothing has arrived since.
 */
public interface LockStore extends AutoCloseable {

    /** Sends a request for a caller that waits for its answer. */
    <A> CompletableFuture<A> send(StoreRequest<A> request);

    /**
     * Sends requests for which no caller waits, in one flush. The failure of one never affects another.
     *
     * @return the future of the answer to each request, in the order of the requests
     */
    List<CompletableFuture<?>> sendAll(List<? extends StoreRequest<?>> requests);

    /**
     * Sends requests in one flush, and counts the replicas or disks that have their writes.
     *
     * @param onDisk whether the writes must be synced to the append-only files
     * @param replicas the number of replicas to wait for; on disk, in addition to the server itself
     * @param withinMillis how long to wait, at least 1 ms
     * @return the results of each request, in the order of the requests
     */
    List<Durable<?>> sendDurably(
            List<? extends StoreRequest<?>> requests, boolean onDisk, int replicas, long withinMillis);

    /**
     * The results of one request that waits for replicas.
     *
     * @param answer the answer, as for {@link #send}
     * @param replicas the number of servers that have the writes of this request
     */
    record Durable<A>(CompletableFuture<A> answer, CompletableFuture<Long> replicas) {}

    /**
     * Returns the latest time that the clock of a key's server can show at a local moment, by the last answer of that server: Redis
     * read its clock after the request for it was sent.
     */
    ServerTime serverTimeAt(String key, long localNanos);

    /** Returns a short text that is the same for all keys of one shard; empty if shards are not known. */
    String shardOf(String key);

    /**
     * Subscribes to a channel, and again after every reconnect.
     *
     * @return a stage with a handle that ends the subscription, completed once Redis has confirmed it
     */
    CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener);

    /** Subscribes to both kinds of channel of this name; see {@link dev.leasehold.spi.RedisTransport#subscribeToBothKinds}. */
    default CompletionStage<AutoCloseable> subscribeToBothKinds(String channel, ChannelListener listener) {
        return subscribe(channel, listener);
    }

    /** Sets who hears of changes of keys whose renewal or confirmation was sent by {@link #sendAll}; by default nobody does. */
    default void onInvalidation(InvalidationListener listener) {}

    @Override
    void close();

    /** A store before another one, to which it passes what it does not handle itself. */
    interface Forwarding extends LockStore {

        /** The other store, which is closed with this one. */
        LockStore behind();

        @Override
        default List<CompletableFuture<?>> sendAll(List<? extends StoreRequest<?>> requests) {
            return behind().sendAll(requests);
        }

        @Override
        default List<Durable<?>> sendDurably(
                List<? extends StoreRequest<?>> requests, boolean onDisk, int replicas, long withinMillis) {
            return behind().sendDurably(requests, onDisk, replicas, withinMillis);
        }

        @Override
        default ServerTime serverTimeAt(String key, long localNanos) {
            return behind().serverTimeAt(key, localNanos);
        }

        @Override
        default String shardOf(String key) {
            return behind().shardOf(key);
        }

        @Override
        default CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
            return behind().subscribe(channel, listener);
        }

        @Override
        default CompletionStage<AutoCloseable> subscribeToBothKinds(String channel, ChannelListener listener) {
            return behind().subscribeToBothKinds(channel, listener);
        }

        @Override
        default void onInvalidation(InvalidationListener listener) {
            behind().onInvalidation(listener);
        }

        @Override
        default void close() {
            behind().close();
        }
    }
}
