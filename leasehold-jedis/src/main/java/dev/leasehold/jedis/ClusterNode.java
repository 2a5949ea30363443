package dev.leasehold.jedis;

import dev.leasehold.internal.adapter.Subscriptions;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * One node of a cluster with the ways to it: connections for callers, a lane for batches, subscriptions to the channels of
 * its shard. Nothing here is shared with another node, so that one which does not answer holds up nothing but its own
 * calls.
 */
final class ClusterNode {

    private final HostAndPort endpoint;
    private final Connections connections;
    private final CallerExchanges callers;
    private final BatchThread lane;
    private final Subscriptions ofShard;
    private volatile boolean answering;

    /**
     * Connects to nothing yet.
     *
     * @param endpoint where it is
     * @param connections to it
     * @param servers notified of errors and silence of this node, and of the channels that it unsubscribed
     */
    ClusterNode(
            HostAndPort endpoint,
            Connections connections,
            TimeSource time,
            long connectTimeoutNanos,
            ClusterServers servers) {
        this.endpoint = endpoint;
        this.connections = connections;
        callers = new CallerExchanges(connections, time);
        lane = new BatchThread(connections, time, servers.detoursFrom(this));
        ofShard = JedisPubSubConnection.subscriptions(
                connections, connectTimeoutNanos, ChannelKind.OF_SHARD, channel -> servers.gone(this, channel));
    }

    HostAndPort endpoint() {
        return endpoint;
    }

    Connections connections() {
        return connections;
    }

    BatchThread lane() {
        return lane;
    }

    Subscriptions ofShard() {
        return ofShard;
    }

    /** Returns whether it answered the last request of a caller. */
    boolean isAnswering() {
        return answering;
    }

    <T extends @Nullable Object> T run(long timeoutNanos, Function<CommandExchange, T> exchange) {
        return noting(() -> callers.run(timeoutNanos, exchange));
    }

    /** Sends a command that changes nothing. */
    <T extends @Nullable Object> T ask(long timeoutNanos, Function<CommandExchange, T> question) {
        return noting(() -> callers.ask(timeoutNanos, question));
    }

    private <T extends @Nullable Object> T noting(Supplier<T> exchange) {
        boolean answered = true;
        try {
            return exchange.get();
        } catch (TransportException e) {
            answered = false;
            throw e;
        } finally {
            if (answering != answered) {
                answering = answered;
            }
        }
    }

    void close() {
        connections.close();
        lane.close();
        ofShard.close();
    }

    @Override
    public String toString() {
        return connections.address();
    }
}
