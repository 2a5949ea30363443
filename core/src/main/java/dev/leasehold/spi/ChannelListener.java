package dev.leasehold.spi;

/**
 * A listener for the messages of a channel. The Redis client calls it on one of its threads, by one thread at a time
 * per connection; it never blocks. The adapter logs an exception that it throws; the exception has no other effect.
 */
@FunctionalInterface
public interface ChannelListener {

    /**
     * Called when a message has arrived.
     *
     * @param message the published message
     */
    void message(String message);

    /**
     * Called when the connection was lost and Redis has confirmed the subscription on a new one: messages published in
     * between are lost. Called after each such confirmation, but not after the first, which completes the stage of
     * {@link RedisTransport#subscribe}. Does nothing by default.
     */
    default void resubscribed() {}
}
