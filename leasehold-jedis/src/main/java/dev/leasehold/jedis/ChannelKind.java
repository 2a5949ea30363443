package dev.leasehold.jedis;

import dev.leasehold.internal.adapter.PubSubConnection;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.JedisShardedPubSub;

/** By which commands a channel is subscribed to. */
enum ChannelKind {

    /** What is published is heard on every node of a cluster. */
    PLAIN {
        @Override
        Voice voice(PubSubConnection.MessageHandler handler) {
            return new PlainVoice(handler);
        }
    },

    /** The channel has a slot, as a key has one, and is known on the nodes of that slot's shard only. */
    OF_SHARD {
        @Override
        Voice voice(PubSubConnection.MessageHandler handler) {
            return new ShardVoice(handler);
        }
    };

    abstract Voice voice(PubSubConnection.MessageHandler handler);

    /** What speaks with the server over one connection. */
    interface Voice {

        /** Subscribes to the first channel, and returns when the last subscription has ended. */
        void listen(Connection connection, String first);

        void ask(String channel);

        void askNoMore(String channel);

        boolean isSubscribed();
    }

    private static final class PlainVoice extends JedisPubSub implements Voice {
        private final PubSubConnection.MessageHandler handler;

        PlainVoice(PubSubConnection.MessageHandler handler) {
            this.handler = handler;
        }

        @Override
        public void listen(Connection connection, String first) {
            proceed(connection, first);
        }

        @Override
        public void ask(String channel) {
            subscribe(channel);
        }

        @Override
        public void askNoMore(String channel) {
            unsubscribe(channel);
        }

        @Override
        public void onSubscribe(String channel, int subscribed) {
            handler.subscribed(channel);
        }

        @Override
        public void onUnsubscribe(String channel, int subscribed) {
            handler.unsubscribed(channel);
        }

        @Override
        public void onMessage(String channel, String message) {
            handler.message(channel, message);
        }
    }

    private static final class ShardVoice extends JedisShardedPubSub implements Voice {
        private final PubSubConnection.MessageHandler handler;

        ShardVoice(PubSubConnection.MessageHandler handler) {
            this.handler = handler;
        }

        @Override
        public void listen(Connection connection, String first) {
            proceed(connection, first);
        }

        @Override
        public void ask(String channel) {
            ssubscribe(channel);
        }

        @Override
        public void askNoMore(String channel) {
            sunsubscribe(channel);
        }

        @Override
        public void onSSubscribe(String channel, int subscribed) {
            handler.subscribed(channel);
        }

        @Override
        public void onSUnsubscribe(String channel, int subscribed) {
            handler.unsubscribed(channel);
        }

        @Override
        public void onSMessage(String channel, String message) {
            handler.message(channel, message);
        }
    }
}
