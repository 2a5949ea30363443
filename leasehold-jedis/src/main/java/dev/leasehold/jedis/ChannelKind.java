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
        Voice voice(PubSubConnection.Hearer hearer) {
            return new PlainVoice(hearer);
        }
    },

    /** The channel has a slot, as a key has one, and is known on the nodes of that slot's shard only. */
    OF_SHARD {
        @Override
        Voice voice(PubSubConnection.Hearer hearer) {
            return new ShardVoice(hearer);
        }
    };

    abstract Voice voice(PubSubConnection.Hearer hearer);

    /** What speaks with the server over one connection. */
    interface Voice {

        /** Subscribes to the first channel, and returns when the last subscription has ended. */
        void listen(Connection connection, String first);

        void ask(String channel);

        void askNoMore(String channel);

        boolean isSubscribed();
    }

    private static final class PlainVoice extends JedisPubSub implements Voice {
        private final PubSubConnection.Hearer hearer;

        PlainVoice(PubSubConnection.Hearer hearer) {
            this.hearer = hearer;
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
            hearer.subscribed(channel);
        }

        @Override
        public void onUnsubscribe(String channel, int subscribed) {
            hearer.unsubscribed(channel);
        }

        @Override
        public void onMessage(String channel, String message) {
            hearer.message(channel, message);
        }
    }

    private static final class ShardVoice extends JedisShardedPubSub implements Voice {
        private final PubSubConnection.Hearer hearer;

        ShardVoice(PubSubConnection.Hearer hearer) {
            this.hearer = hearer;
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
            hearer.subscribed(channel);
        }

        @Override
        public void onSUnsubscribe(String channel, int subscribed) {
            hearer.unsubscribed(channel);
        }

        @Override
        public void onSMessage(String channel, String message) {
            hearer.message(channel, message);
        }
    }
}
