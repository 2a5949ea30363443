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

    /** Where they are, for messages. */
    String address();

    /** Where a call goes first. */
    LettuceNode nodeOf(ScriptCall call);

    /** Where what has this key goes. */
    LettuceNode nodeOf(String key);

    /** Runs any command on some primary, or on the one that has its key. */
    CompletionStage<@Nullable Object> command(List<String> args);

    /** One that was described; null if it is not among them. */
    @Nullable
    LettuceNode find(RedisNode node);

    CompletionStage<ServerDescription> describe(Set<Capability> capabilities);

    /** Whether it is one server alone: PUBLISH counts all who hear, and a call may have any keys. */
    boolean alone();

    /** The channels of shards; null where there are none. */
    default @Nullable ShardChannels<LettuceNode, Endpoint> shardChannels() {
        return null;
    }

    /**
     * Where a call goes that was refused and so has not run.
     *
     * @param error the whole reply
     * @param by who refused
     * @return null if it goes nowhere: the error is the answer
     */
    default @Nullable Detour detour(String error, LettuceNode by) {
        return null;
    }

    /** Sets what is called when another server has come into the place of the one that there is. */
    default void onSwitch(Runnable action) {}

    /** Somebody has given up waiting for an answer of this node. */
    default void unanswered(LettuceNode node) {}

    /**
     * Opens a connection for subscriptions, each time perhaps to another server.
     *
     * @param abandon to be called when that server is in trouble, so that the connection is opened anew
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
