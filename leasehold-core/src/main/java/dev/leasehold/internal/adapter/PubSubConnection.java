package dev.leasehold.internal.adapter;

/** A connection for subscriptions: one thread listens, and others ask, one at a time. */
public interface PubSubConnection {

    /** What is heard; told by one thread at a time, in the order in which Redis said it. */
    interface Hearer {

        /**
         * A subscription is confirmed.
         *
         * @param channel its channel
         */
        void subscribed(String channel);

        /**
         * A subscription has ended, as was asked or by the server itself.
         *
         * @param channel its channel
         */
        void unsubscribed(String channel);

        /**
         * Something was published.
         *
         * @param channel where
         * @param message what
         */
        void message(String channel, String message);
    }

    /**
     * Subscribes to the first channel and listens until the last subscription has ended or the connection is cut.
     *
     * @param first the first channel
     * @param hearer told what is heard
     * @throws dev.leasehold.spi.RedisErrorException if Redis refuses a channel
     * @throws dev.leasehold.spi.TransportException if the connection breaks
     */
    void listen(String first, Hearer hearer);

    /**
     * Asks for one more, and does not wait. A broken connection is no failure: whoever listens will hear of that.
     *
     * @param channel what to subscribe to
     */
    void subscribe(String channel);

    /**
     * Asks for one less, in the same way.
     *
     * @param channel what to hear no more
     */
    void unsubscribe(String channel);

    /** Ends the listening. Nobody asks afterwards. */
    void cut();

    /**
     * Gives the connection back, or closes it, when nobody listens or asks any more.
     *
     * @param sound whether all that was asked was answered, and it was not cut
     */
    void end(boolean sound);
}
