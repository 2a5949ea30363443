package dev.leasehold.lettuce;

import dev.leasehold.internal.adapter.ShardChannels;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The servers behind a transport, one or many, and the way of each call among them. No method blocks. */
interface Servers {

    /** Returns the address, for messages. */
    String address();

    /** Returns the first node for a call. */
    LettuceNode nodeOf(ScriptCall call);

    /** Returns the node for a key. */
    LettuceNode nodeOf(String key);

    /** Runs any command on some primary, or on the one that has its key. */
    CompletionStage<@Nullable Object> command(List<String> args);

    /** One that was described; null if it is not among them. */
    @Nullable
    LettuceNode find(RedisNode node);

    CompletionStage<ServerDescription> describe(Set<Capability> capabilities);

    /** Returns whether this is a single server: PUBLISH counts all subscribers, and a call may have any keys. */
    boolean standalone();

    /** The channels of shards; null where there are none. */
    default @Nullable ShardChannels<LettuceNode, Endpoint> shardChannels() {
        return null;
    }

    /**
     * Returns the node for a call that was refused and so has not run.
     *
     * @param error the whole reply
     * @param by the node that refused
     * @return null if it goes nowhere: the error is the answer
     */
    default @Nullable Detour redirect(String error, LettuceNode by) {
        return null;
    }

    /** Sets what is called when another server has come into the place of the one that there is. */
    default void onSwitch(Runnable action) {}

    /** Called when a caller has stopped waiting for an answer of this node. */
    default void unanswered(LettuceNode node) {}

    /**
     * Opens a connection for subscriptions, each time perhaps to another server.
     *
     * @param abandon called when that server has problems, so that the connection is reopened
     */
    CompletionStage<StatefulRedisPubSubConnection<String, String>> connectPubSub(Runnable abandon);

    /** Closes all connections; what is in flight and what comes later fails. */
    CompletionStage<Void> close(String reason);

    /**
     * Another way.
     *
     * @param node where to
     * @param asking whether the node must be told that it was another that sent the call there (ASK)
     */
    record Detour(LettuceNode node, boolean asking) {}
}
