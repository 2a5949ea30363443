package dev.leasehold.spi;

/**
 * Hears what is published on a channel. Called on a thread of the client, by one thread at a time for one connection; it
 * never blocks. What it throws is logged and changes nothing.
 */
@FunctionalInterface
public interface ChannelListener {

    /**
     * A message came.
     *
     * @param message what was published
     */
    void message(String message);

    /**
     * The connection was lost, and Redis has confirmed the subscription again over another: what was published in between
     * was not heard and never will be. Called after each such confirmation; not after the first, which completes the
     * stage of {@link RedisTransport#subscribe}. Does nothing by default.
     */
    default void resubscribed() {}
}
