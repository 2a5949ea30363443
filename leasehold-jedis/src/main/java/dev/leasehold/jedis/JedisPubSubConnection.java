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
    private volatile ChannelKind.@Nullable Subscriber subscriber;

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
        ChannelKind.Subscriber current = kind.subscriber(handler);
        subscriber = current;
        try {
            current.listen(connection, first);
        } catch (JedisDataException e) {
            throw Failures.refusal(e);
        } catch (JedisException e) {
            throw Failures.unanswered(e, connections.address());
        }
    }

    @Override
    public void subscribe(String channel) {
        send(current -> current.requestSubscribe(channel));
    }

    @Override
    public void unsubscribe(String channel) {
        send(current -> current.requestUnsubscribe(channel));
    }

    private void send(Consumer<ChannelKind.Subscriber> command) {
        ChannelKind.Subscriber current = subscriber;
        try {
            if (current != null) {
                command.accept(current);
            }
        } catch (JedisException e) {
            LOG.debug("A subscription command ended with its connection", e);
        }
    }

    /**
     * Jedis flushes before it closes, so no thread may write meanwhile. Nor may a command follow: Jedis would reconnect
     * for that, and the listening thread would continue there, without all other channels.
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
        ChannelKind.Subscriber current = subscriber;
        if (!sound || (current != null && current.isSubscribed())) {
            connection.setBroken();
        }
        connections.end(connection);
    }
}
