package dev.leasehold.springdata;

import dev.leasehold.internal.adapter.PubSubConnection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** Subscriptions over a connection of Jedis', whose listener blocks. */
final class JedisPubSubConnection implements PubSubConnection {

    private static final Logger LOG = LoggerFactory.getLogger(JedisPubSubConnection.class);

    private final Jedis jedis;
    private final String address;
    private volatile @Nullable JedisPubSub listening;

    JedisPubSubConnection(Jedis jedis, String address) {
        this.jedis = jedis;
        this.address = address;
    }

    @Override
    public void listen(String first, MessageHandler handler) {
        JedisPubSub subscription = new Forwarder(handler);
        listening = subscription;
        try {
            subscription.proceed(jedis.getConnection(), first);
        } catch (JedisDataException e) {
            throw Failures.refusal(e);
        } catch (JedisException e) {
            throw Failures.unanswered(e, address);
        }
    }

    @Override
    public void subscribe(String channel) {
        send(subscription -> subscription.subscribe(channel));
    }

    @Override
    public void unsubscribe(String channel) {
        send(subscription -> subscription.unsubscribe(channel));
    }

    private void send(Consumer<JedisPubSub> command) {
        JedisPubSub subscription = listening;
        try {
            if (subscription != null) {
                command.accept(subscription);
            }
        } catch (JedisException e) {
            LOG.debug("A subscription command ended with its connection", e);
        }
    }

    /** A later command would make Jedis reconnect, and the listening thread would continue on the new connection. */
    @Override
    public void cut() {
        JedisWire.end(jedis);
    }

    @Override
    public void end(boolean sound) {
        cut();
    }

    /** Forwards replies and messages to the handler. */
    private static final class Forwarder extends JedisPubSub {
        private final MessageHandler handler;

        Forwarder(MessageHandler handler) {
            this.handler = handler;
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
}
