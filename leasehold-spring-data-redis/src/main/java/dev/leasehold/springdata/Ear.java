package dev.leasehold.springdata;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;

/** A connection for subscriptions: one thread listens, and others ask, one at a time. */
interface Ear {

    /** What is heard; told by one thread at a time, in the order in which Redis said it. */
    interface Hearer {
        void subscribed(String channel);

        void unsubscribed(String channel);

        void message(String channel, String message);
    }

    /**
     * Subscribes to the first channel and listens until the last subscription has ended or the connection is cut.
     *
     * @throws RedisErrorException if Redis refuses a channel
     * @throws TransportException if the connection breaks
     */
    void listen(String first, Hearer hearer);

    /** Asks for one more, and does not wait. A broken connection is no failure: whoever listens will hear of that. */
    void subscribe(String channel);

    /** Asks for one less. */
    void unsubscribe(String channel);

    /** Ends the listening, and the connection. Nobody may ask afterwards. */
    void cut();
}
