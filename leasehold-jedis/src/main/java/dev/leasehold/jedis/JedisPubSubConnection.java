package dev.leasehold.jedis;

import dev.leasehold.internal.adapter.PubSubConnection;
import dev.leasehold.internal.adapter.PubSubConnector;
import dev.leasehold.internal.adapter.Subscriptions;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** Subscriptions over one connection, on which Jedis blocks the thread that listens. */
final class JedisPubSubConnection implements PubSubConnection {

    private static final Logger LOG = LoggerFactory.getLogger(JedisPubSubConnection.class);

    private final KeptConnections connections;
    private final Connection connection;
    private final ChannelKind kind;
    private volatile ChannelKind.@Nullable Voice voice;

    private JedisPubSubConnection(KeptConnections connections, Connection connection, ChannelKind kind) {
        this.connections = connections;
        this.connection = connection;
        this.kind = kind;
    }

    /** Subscriptions of one kind over such connections, which the server keeps, or says of a channel that it is gone. */
    static Subscriptions subscriptions(
            KeptConnections connections,
            long connectTimeoutNanos,
            ChannelKind kind,
            @Nullable Consumer<String> onGone) {
        PubSubConnector connector = new PubSubConnector() {
            @Override
            public String address() {
                return connections.address();
            }

            @Override
            public PubSubConnection open(long timeoutNanos) {
                return new JedisPubSubConnection(connections, connections.open(timeoutNanos), kind);
            }
        };
        return new Subscriptions("leasehold-jedis-subscriptions", connector, connectTimeoutNanos, onGone);
    }

    @Override
    public void listen(String first, MessageHandler handler) {
        ChannelKind.Voice speaks = kind.voice(handler);
        voice = speaks;
        try {
            speaks.listen(connection, first);
        } catch (JedisDataException e) {
            throw Failures.refusal(e);
        } catch (JedisException e) {
            throw Failures.unanswered(e, connections.address());
        }
    }

    @Override
    public void subscribe(String channel) {
        say(speaks -> speaks.ask(channel));
    }

    @Override
    public void unsubscribe(String channel) {
        say(speaks -> speaks.askNoMore(channel));
    }

    private void say(Consumer<ChannelKind.Voice> what) {
        ChannelKind.Voice speaks = voice;
        try {
            if (speaks != null) {
                what.accept(speaks);
            }
        } catch (JedisException e) {
            LOG.debug("What was asked of Redis ended with its connection", e);
        }
    }

    /**
     * Jedis flushes before it closes, so nobody may write meanwhile. Nor may anybody ask afterwards: Jedis would connect anew
     * for that, and whoever listens would go on there, deaf to all other channels.
     */
    @Override
    public void cut() {
        try {
            connection.disconnect();
        } catch (JedisException e) {
            LOG.debug("A connection was cut that was broken", e);
        }
    }

    @Override
    public void end(boolean sound) {
        ChannelKind.Voice spoke = voice;
        if (!sound || (spoke != null && spoke.isSubscribed())) {
            connection.setBroken();
        }
        connections.end(connection);
    }
}
