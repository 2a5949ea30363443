package dev.leasehold.spi;

/**
 * Hears what a connection receives unasked. Called by one thread at a time, in the order in which Redis sent it; never
 * blocks. Called for {@link #closed} by any connection, for all else only by one for subscriptions.
 */
public interface PushListener {

    /**
     * A subscription has ended, as requested, or because the slot of a sharded channel has moved away.
     *
     * @param channel its channel
     */
    default void unsubscribed(String channel) {}

    /**
     * A message was published.
     *
     * @param channel its channel
     * @param message the message
     */
    default void message(String channel, String message) {}

    /**
     * The connection has ended, whoever ended it. Called once, by any thread, and after all else.
     *
     * @param cause why, for people
     */
    void closed(String cause);
}
