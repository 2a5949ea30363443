package dev.leasehold.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One connection to one server, after the handshake: authenticated, named, and with its database selected. It sends
 * each command once, never reconnects, and never keeps a command for another connection.
 *
 * <p>A multiplexing connection may be used by any thread, and none of its
 * methods blocks. One of a {@link ConnectorInfo.Trait#BLOCKING} connector is used by one thread at a time, except for {@link #close()} and {@link #abandon()}, and
 * except for one for subscriptions, over which one thread writes while another one reads.
 */
public interface RedisConnection extends AutoCloseable {

    /**
     * Sends commands in one flush, in this order. A blocking connection has answered or failed all of them when this
     * returns, and is closed if the time was over before.
     *
     * <p>A multiplexing connection for subscriptions sends only commands that begin or end subscriptions, one channel each. It
     * answers each as soon as Redis has confirmed it; the value does not matter. A blocking one is not asked to send.
     *
     * @param commands at least one
     * @param timeoutNanos how long a blocking connection waits for the replies; a multiplexing one may ignore it
     */
    void send(List<? extends RedisCommand> commands, long timeoutNanos);

    /**
     * Sends a command that begins or ends a subscription, without waiting for its reply. Only a blocking connection for
     * subscriptions has this method. One thread at a time calls it, also while another thread reads.
     *
     * @param words the command and the channel
     * @throws RuntimeException if the connection has ended
     */
    default void write(List<String> words) {
        throw new UnsupportedOperationException();
    }

    /**
     * Waits for the next reply or message, however long that takes, or until the connection is ended. Only a blocking
     * connection for subscriptions has this method. One thread calls it.
     *
     * @return a list such as {@code ["message", "channel", "text"]} or {@code ["subscribe", "channel", 1]}
     * @throws RedisErrorException if the reply is an error: the connection is still open
     * @throws TransportException if the connection has ended
     */
    default @Nullable Object read() {
        throw new UnsupportedOperationException();
    }

    /**
     * Returns whether commands can be sent. False as soon as the client knows that the connection has ended.
     *
     * @return false if it has ended
     */
    boolean isOpen();

    /**
     * Returns the server at the other end.
     *
     * @return its address, as far as the client tells it
     */
    RedisAddress server();

    /**
     * Ends it, or gives it back to its pool ({@link ConnectorInfo.Trait#POOLED}), if nothing is sent over it and it has no
     * subscription. While another thread sends, it is ended as by {@link #abandon()}. Does not block. Idempotent.
     */
    @Override
    void close();

    /**
     * Ends it for good, even while another thread sends or reads: commands in flight fail. A pool does not give it to anybody
     * else, for it may lead to a former primary. Does not block. Idempotent.
     */
    default void abandon() {
        close();
    }
}
