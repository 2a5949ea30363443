package dev.leasehold.spi;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The port to a Redis client. An implementation may answer at once on the caller's thread or later on its own; it is
 * safe for use by any thread, never runs its caller's code under a lock of its own, and masks passwords in what it
 * throws and prints.
 *
 * <p>Stages fail with {@link RedisErrorException} when Redis answered with an error and with {@link TransportException}
 * when no answer came. When the caller cancels a stage's future it has given up waiting; an implementation should then
 * doubt a connection on which nothing has arrived since.
 */
public interface RedisTransport extends AutoCloseable {

    /**
     * Runs a script for a caller who waits for it.
     *
     * @param call what to run
     * @return the reply: a flat list of strings, none of them null
     */
    CompletionStage<List<String>> eval(ScriptCall call);

    /**
     * Runs scripts in one flush, on a connection that is shared with nothing that blocks. Judged entry by entry: an
     * error of one never touches the others.
     *
     * @param calls what to run
     * @return one stage per call, in the order of the calls
     */
    List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls);

    /**
     * Subscribes to a channel on the one connection that is kept for this, and again after every reconnect, which the
     * listener is told. With {@link ServerDescription.Capability#SHARDED_PUBSUB} a channel that has a hash tag, a part in
     * braces, is one of the shard that has the tag's slot: only what is published by {@code SPUBLISH} is heard. When its
     * slot moves, so does the subscription, which the listener is told too.
     *
     * @param channel the channel
     * @param listener what to call with every message
     * @return a stage with what ends the subscription, completed once Redis has confirmed it
     */
    CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener);

    /**
     * Tells the shard that has a key, by what is known now and without asking: a short text that is the same for all keys
     * of the shard. A channel that has it in braces is of the same shard, unless slots have moved since.
     *
     * @param key any key
     * @return the text; empty, as by default, if channels are not spread over shards or the shard is not known
     */
    default String shardOf(String key) {
        return "";
    }

    /**
     * Runs scripts in one flush, on a connection that is kept for this, and behind them, once, {@code WAIT}, or
     * {@code WAITAOF 1}: so what it counts are the servers that have what these scripts wrote. Nobody else's connection waits
     * meanwhile. A connection that broke is never taken for the one that wrote. Never blocks its caller.
     *
     * @param calls what to run; of several servers each waits for its own replicas
     * @param onDisk whether they must be synced to the append-only files; only with
     *     {@link ServerDescription.Capability#WAITS_FOR_DISKS}
     * @param replicas how many to wait for, at least 1; on disk, beside the server itself, at least 0
     * @param withinMillis how long, at least 1 ms
     * @return what comes of each call, in the order of the calls
     * @throws UnsupportedOperationException without {@link ServerDescription.Capability#WAITS_FOR_REPLICAS}
     */
    default List<DurableReply> evalDurably(List<ScriptCall> calls, boolean onDisk, int replicas, long withinMillis) {
        throw new UnsupportedOperationException("this adapter has no connection of its own for WAIT");
    }

    /**
     * Holds a dialogue for a caller who waits for it, on one connection, on which no command of others comes between. If that
     * connection breaks, or there is no answer within the dialogue's time, it fails, and the connection is never used again:
     * so what comes later meets neither a transaction half begun nor keys that are watched. No command is sent twice, nor
     * over another connection; one that is sent elsewhere by {@code MOVED} or {@code ASK} has that reply.
     *
     * @param dialogue what to send, step by step
     * @return a stage that is complete when the dialogue has ended
     * @throws UnsupportedOperationException without {@link ServerDescription.Capability#CONVERSES}
     */
    default CompletionStage<@Nullable Void> converse(Dialogue dialogue) {
        throw new UnsupportedOperationException("this adapter has no connection of its own for WATCH");
    }

    /**
     * Reads what the servers are and can do; asks again on each call.
     *
     * @return a stage with the description
     */
    CompletionStage<ServerDescription> describe();

    /**
     * Runs any command on one node, for inspection.
     *
     * @param node which server, as given by {@link #describe()}; null for the only or any primary
     * @param args the command and its arguments
     * @return a stage with the reply: String, Long, null, or a List of these
     */
    CompletionStage<@Nullable Object> command(@Nullable RedisNode node, List<String> args);

    /** Closes the connections this transport opened; a client that was lent stays open. */
    @Override
    void close();
}
