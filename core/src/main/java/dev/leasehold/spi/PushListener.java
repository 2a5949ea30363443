package dev.leasehold.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hears what a connection receives unasked. Called by one thread at a time, in the order in which Redis sent it; never
 * blocks. Called for {@link #closed} by any connection, for {@link #invalidated} by one for tracked commands, for all else only by
 * one for subscriptions.
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
     * Keys that this connection has read have changed since. Only over a connection for {@link
     * ConnectionPurpose#TRACKED_COMMANDS} of a connector that {@linkplain ConnectorInfo.Trait#RECEIVES_INVALIDATIONS receives}
     * them.
     *
     * @param keys the keys; null for all that there are
     */
    default void invalidated(@Nullable List<String> keys) {}

    /**
     * The connection has ended, whoever ended it. Called once, by any thread, and after all else.
     *
     * @param cause why, for people
     */
    void closed(String cause);
}
