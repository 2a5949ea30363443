package dev.leasehold.lettuce;

import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.CompletionStage;

/** By which commands a channel is subscribed to. */
enum ChannelKind {

    /** Messages reach subscribers on every node of a cluster. */
    PLAIN {
        @Override
        CompletionStage<Void> subscribe(StatefulRedisPubSubConnection<String, String> connection, String channel) {
            return connection.async().subscribe(channel);
        }

        @Override
        CompletionStage<Void> unsubscribe(StatefulRedisPubSubConnection<String, String> connection, String channel) {
            return connection.async().unsubscribe(channel);
        }
    },

    /** The channel has a slot, as a key has one, and is known on the nodes of that slot's shard only. */
    OF_SHARD {
        @Override
        CompletionStage<Void> subscribe(StatefulRedisPubSubConnection<String, String> connection, String channel) {
            return connection.async().ssubscribe(channel);
        }

        @Override
        CompletionStage<Void> unsubscribe(StatefulRedisPubSubConnection<String, String> connection, String channel) {
            return connection.async().sunsubscribe(channel);
        }
    };

    abstract CompletionStage<Void> subscribe(StatefulRedisPubSubConnection<String, String> connection, String channel);

    abstract CompletionStage<Void> unsubscribe(
            StatefulRedisPubSubConnection<String, String> connection, String channel);
}
