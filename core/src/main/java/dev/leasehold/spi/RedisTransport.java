package dev.leasehold.spi;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The port to a Redis client. An implementation may answer immediately on the caller's thread, or later on its own
 * thread. It is safe for use by any thread, never runs its caller's code under its own locks, and masks passwords in
 * its exceptions and output.
 *
 * <p>Stages fail with {@link RedisErrorException} when Redis answered with an error and with {@link TransportException}
 * when no answer came. A caller that stops waiting cancels the stage's future; an implementation should then replace a
 * connection that has been asked and silent for a while, however short the waits of its callers are.
 */
public interface RedisTransport extends AutoCloseable {

    /**
     * Runs a script for a caller that waits for it.
     *
     * @param call the call
     * @return the reply: a flat list of strings, none of them null
     */
    CompletionStage<List<String>> eval(ScriptCall call);

    /**
     * Runs a script for a person that looks at locks. Its answer may be long, so it is sent over a connection on which no lock waits
     * behind it. By default as {@link #eval} does.
     *
     * @param call the call
     * @return the reply: a flat list of strings, none of them null
     */
    default CompletionStage<List<String>> inspect(ScriptCall call) {
        return eval(call);
    }

    /**
     * Runs scripts in one flush, on a connection without blocking commands. Each call has its own result: an error of
     * one never affects the others.
     *
     * @param calls the calls
     * @return one stage per call, in the order of the calls
     */
    List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls);

    /**
     * Sets who hears when others change the keys of {@linkplain Script#tracked() tracked} scripts that were called in a batch. From then
     * on these go over a connection of their own with {@code CLIENT TRACKING ON OPTIN NOLOOP}, each followed by {@code CLIENT CACHING
     * YES} and {@code EXISTS} with its keys. Called once, before the first of them.
     *
     * @param listener hears of them; by default never
     */
    default void onInvalidation(InvalidationListener listener) {}

    /**
     * Subscribes to a channel on a dedicated connection, and again after every reconnect, of which the listener is
     * notified. With {@link ServerDescription.Capability#SHARDED_PUBSUB}, a channel with a hash tag, a part in braces,
     * belongs to the shard of the tag's slot: it receives only messages published by {@code SPUBLISH}. When its slot
     * moves, the subscription moves with it, and the listener is notified.
     *
     * @param channel the channel
     * @param listener called with every message
     * @return a stage with a handle that ends the subscription, completed once Redis has confirmed it
     */
    CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener);

    /**
     * Subscribes to a channel on which other programs publish, some by {@code PUBLISH} and some by {@code SPUBLISH}: as
     * {@link #subscribe} does, and where that hears only one of the two commands, to the other kind of channel of the same name,
     * too. A message that is published by both commands arrives twice. By default as {@link #subscribe} does.
     *
     * @param channel the channel
     * @param listener called with every message
     * @return a stage with a handle that ends the subscription, completed once Redis has confirmed all of it
     */
    default CompletionStage<AutoCloseable> subscribeToBothKinds(String channel, ChannelListener listener) {
        return subscribe(channel, listener);
    }

    /**
     * Returns the shard of a key by the topology known now, without a request: a short text that is the same for all
     * keys of the shard. A channel that contains this text in braces belongs to the same shard, unless slots have moved
     * since.
     *
     * @param key any key
     * @return the text; empty, as by default, if channels are not spread over shards or the shard is not known
     */
    default String shardOf(String key) {
        return "";
    }

    /**
     * Returns how many connections it has, and has had. Nothing is sent.
     *
     * @return the counts by purpose; empty, as by default, if it does not count them
     */
    default Map<ConnectionPurpose, ConnectionCounts> connections() {
        return Map.of();
    }

    /**
     * Runs scripts in one flush on a dedicated connection, followed by one {@code WAIT} or {@code WAITAOF 1}, which
     * counts the servers that have the writes of these scripts. No other connection waits meanwhile. After a connection
     * has broken, a new one never answers for its writes. Never blocks its caller.
     *
     * @param calls the calls; with several servers, each waits for its own replicas
     * @param onDisk whether they must be synced to the append-only files; only with
     *     {@link ServerDescription.Capability#WAITS_FOR_DISKS}
     * @param replicas the number of replicas to wait for, at least 1; on disk, in addition to the server itself, at
     *     least 0
     * @param withinMillis how long to wait, at least 1 ms
     * @return the results of each call, in the order of the calls
     * @throws UnsupportedOperationException without {@link ServerDescription.Capability#WAITS_FOR_REPLICAS}
     */
    default List<DurableReply> evalDurably(List<ScriptCall> calls, boolean onDisk, int replicas, long withinMillis) {
        throw new UnsupportedOperationException("this adapter has no connection of its own for WAIT");
    }

    /**
     * Reads the servers and their capabilities; sends new requests on each call.
     *
     * @return a stage with the description
     */
    CompletionStage<ServerDescription> describe();

    /**
     * Returns the servers as logs, messages and tools show them. Nothing is sent.
     *
     * @return their addresses as the connector has parsed them, without users, passwords and parameters; by default the name of the
     *     class
     */
    default String address() {
        return getClass().getSimpleName();
    }

    /**
     * Runs any command on one node, for inspection.
     *
     * @param node the server, as returned by {@link #describe()}; null for the only primary or any of them
     * @param args the command and its arguments
     * @return a stage with the reply: String, Long, null, or a List of these
     */
    CompletionStage<@Nullable Object> command(@Nullable RedisNode node, List<String> args);

    /** Closes the connections that this transport opened; a Redis client that the application passed in stays open. */
    @Override
    void close();

    /**
     * How many connections a transport has for one purpose.
     *
     * @param open how many are open now
     * @param opened how many have been opened, with those that have ended; those of a pool that the application lends each time when they
     *     are borrowed
     * @param failed how many attempts to open one have failed
     */
    record ConnectionCounts(long open, long opened, long failed) {

        /** No connection. */
        public static final ConnectionCounts NONE = new ConnectionCounts(0, 0, 0);

        /**
         * Returns the sum of two counts.
         *
         * @param other the counts of another server
         * @return of both
         */
        public ConnectionCounts plus(ConnectionCounts other) {
            return new ConnectionCounts(open + other.open, opened + other.opened, failed + other.failed);
        }
    }
}
