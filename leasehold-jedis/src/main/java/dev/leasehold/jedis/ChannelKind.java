package dev.leasehold.jedis;

import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.JedisShardedPubSub;

/** By which commands a channel is subscribed to. */
enum ChannelKind {

    /** What is published is heard on every node of a cluster. */
    PLAIN {
        @Override
        Ear ear(Hearing hearing) {
            return new PlainEar(hearing);
        }
    },

    /** The channel has a slot, as a key has one, and is known on the nodes of that slot's shard only. */
    OF_SHARD {
        @Override
        Ear ear(Hearing hearing) {
            return new ShardEar(hearing);
        }
    };

    abstract Ear ear(Hearing hearing);

    /** What speaks with the server over one connection. */
    interface Ear {

        /** Subscribes to the first channel, and returns when the last subscription has ended. */
        void listen(Connection connection, String first);

        void ask(String channel);

        void askNoMore(String channel);

        boolean isSubscribed();
    }

    /** What is told of all that the server says. */
    interface Hearing {

        void subscribed(String channel);

        void unsubscribed(String channel);

        void message(String channel, String message);
    }

    private static final class PlainEar extends JedisPubSub implements Ear {
        private final Hearing hearing;

        PlainEar(Hearing hearing) {
            this.hearing = hearing;
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
            hearing.subscribed(channel);
        }

        @Override
        public void onUnsubscribe(String channel, int subscribed) {
            hearing.unsubscribed(channel);
        }

        @Override
        public void onMessage(String channel, String message) {
            hearing.message(channel, message);
        }
    }

    private static final class ShardEar extends JedisShardedPubSub implements Ear {
        private final Hearing hearing;

        ShardEar(Hearing hearing) {
            this.hearing = hearing;
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
            hearing.subscribed(channel);
        }

        @Override
        public void onSUnsubscribe(String channel, int subscribed) {
            hearing.unsubscribed(channel);
        }

        @Override
        public void onSMessage(String channel, String message) {
            hearing.message(channel, message);
        }
    }
}
