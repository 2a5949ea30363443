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
    public void listen(String first, Hearer hearer) {
        JedisPubSub ear = new Told(hearer);
        listening = ear;
        try {
            ear.proceed(jedis.getConnection(), first);
        } catch (JedisDataException e) {
            throw Failures.refusal(e);
        } catch (JedisException e) {
            throw Failures.unanswered(e, address);
        }
    }

    @Override
    public void subscribe(String channel) {
        ask(ear -> ear.subscribe(channel));
    }

    @Override
    public void unsubscribe(String channel) {
        ask(ear -> ear.unsubscribe(channel));
    }

    private void ask(Consumer<JedisPubSub> what) {
        JedisPubSub ear = listening;
        try {
            if (ear != null) {
                what.accept(ear);
            }
        } catch (JedisException e) {
            LOG.debug("What was asked of Redis ended with its connection", e);
        }
    }

    /** Whoever asked afterwards would have Jedis connect anew, and whoever listens would go on there. */
    @Override
    public void cut() {
        JedisWire.end(jedis);
    }

    @Override
    public void end(boolean sound) {
        cut();
    }

    /** Tells the hearer. */
    private static final class Told extends JedisPubSub {
        private final Hearer hearer;

        Told(Hearer hearer) {
            this.hearer = hearer;
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
}
