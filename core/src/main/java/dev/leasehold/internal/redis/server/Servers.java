package dev.leasehold.internal.redis.server;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The servers of a Redis, one or many, and which of them a call is sent to. */
public interface Servers {

    /** Returns the address, for messages. */
    String address();

    /** Returns the first server for a call. */
    Server serverOf(ScriptCall call);

    /** Returns the server for a key. */
    Server serverOf(String key);

    /** Returns one that was described; null if it is not among them. */
    @Nullable
    Server find(RedisNode node);

    /** Runs any command on some primary, or on the one that it redirects to. */
    CompletionStage<@Nullable Object> command(List<String> args);

    /**
     * Describes the servers.
     *
     * @param capabilities what the connector can do
     */
    CompletionStage<ServerDescription> describe(Set<Capability> capabilities);

    /** Subscribes; see {@link dev.leasehold.spi.RedisTransport#subscribe}. */
    CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener);

    /** Subscribes; see {@link dev.leasehold.spi.RedisTransport#subscribeToBothKinds}. */
    default CompletionStage<AutoCloseable> subscribeToBothKinds(String channel, ChannelListener listener) {
        return subscribe(channel, listener);
    }

    /** Returns the shard of a key; see {@link dev.leasehold.spi.RedisTransport#shardOf}. */
    String shardOf(String key);

    /**
     * Returns the server for a call that was refused and so has not run.
     *
     * @param refusal the error reply of a server
     * @param by that server
     * @return null if it goes nowhere: the error is the answer
     */
    @Nullable
    Detour redirect(RedisErrorException refusal, Server by);

    /** Closes all connections; what is in flight and what comes later fails. Does not block. */
    void close(String reason);

    /**
     * Another way.
     *
     * @param server where to
     * @param asking whether the server must be told that it was another that sent the call there (ASK)
     */
    record Detour(Server server, boolean asking) {}
}
