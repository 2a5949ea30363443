package dev.leasehold.internal.adapter;

/** A connection for subscriptions: one thread listens, and other threads send commands, one at a time. */
public interface PubSubConnection {

    /** Receives replies and messages: from one thread at a time, in the order in which Redis sent them. */
    interface MessageHandler {

        /**
         * Called when Redis has confirmed a subscription.
         *
         * @param channel its channel
         */
        void subscribed(String channel);

        /**
         * Called when a subscription has ended, by request or by the server.
         *
         * @param channel its channel
         */
        void unsubscribed(String channel);

        /**
         * Called when a message was published.
         *
         * @param channel its channel
         * @param message the message
         */
        void message(String channel, String message);
    }

    /**
     * Subscribes to the first channel and listens until the last subscription has ended or the connection is cut.
     *
     * @param first the first channel
     * @param handler receives the replies and messages
     * @throws dev.leasehold.spi.RedisErrorException if Redis refuses a channel
     * @throws dev.leasehold.spi.TransportException if the connection breaks
     */
    void listen(String first, MessageHandler handler);

    /**
     * Subscribes to another channel, without waiting. A broken connection is no failure here: the listening thread
     * notices it.
     *
     * @param channel the channel
     */
    void subscribe(String channel);

    /**
     * Unsubscribes from a channel, in the same way.
     *
     * @param channel the channel
     */
    void unsubscribe(String channel);

    /** Ends the listening. No commands are sent afterwards. */
    void cut();

    /**
     * Returns the connection to its pool, or closes it. Called when no thread listens or sends commands any more.
     *
     * @param sound whether all commands were answered and the connection was not cut
     */
    void end(boolean sound);
}
