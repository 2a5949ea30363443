package dev.leasehold.jedis;

import dev.leasehold.internal.adapter.PubSubConnection;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.JedisShardedPubSub;

/** By which commands a channel is subscribed to. */
enum ChannelKind {

    /** Messages reach subscribers on every node of a cluster. */
    PLAIN {
        @Override
        Subscriber subscriber(PubSubConnection.MessageHandler handler) {
            return new PlainSubscriber(handler);
        }
    },

    /** The channel has a slot, as a key has one, and is known on the nodes of that slot's shard only. */
    OF_SHARD {
        @Override
        Subscriber subscriber(PubSubConnection.MessageHandler handler) {
            return new ShardSubscriber(handler);
        }
    };

    abstract Subscriber subscriber(PubSubConnection.MessageHandler handler);

    /** The subscriber of one connection. */
    interface Subscriber {

        /** Subscribes to the first channel, and returns when the last subscription has ended. */
        void listen(Connection connection, String first);

        void requestSubscribe(String channel);

        void requestUnsubscribe(String channel);

        boolean isSubscribed();
    }

    private static final class PlainSubscriber extends JedisPubSub implements Subscriber {
        private final PubSubConnection.MessageHandler handler;

        PlainSubscriber(PubSubConnection.MessageHandler handler) {
            this.handler = handler;
        }

        @Override
        public void listen(Connection connection, String first) {
            proceed(connection, first);
        }

        @Override
        public void requestSubscribe(String channel) {
            subscribe(channel);
        }

        @Override
        public void requestUnsubscribe(String channel) {
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

    private static final class ShardSubscriber extends JedisShardedPubSub implements Subscriber {
        private final PubSubConnection.MessageHandler handler;

        ShardSubscriber(PubSubConnection.MessageHandler handler) {
            this.handler = handler;
        }

        @Override
        public void listen(Connection connection, String first) {
            proceed(connection, first);
        }

        @Override
        public void requestSubscribe(String channel) {
            ssubscribe(channel);
        }

        @Override
        public void requestUnsubscribe(String channel) {
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
