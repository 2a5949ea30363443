package dev.leasehold.internal.adapter;

/** Where connections for subscriptions come from. Safe for use by any thread. */
public interface PubSubConnector {

    /**
     * Where they lead.
     *
     * @return for messages
     */
    String address();

    /**
     * Opens one. An interrupt does not end the wait and is kept.
     *
     * @param patienceNanos for how long to wait
     * @return connected
     * @throws dev.leasehold.spi.TransportException if there is none in time; nothing was sent
     * @throws dev.leasehold.spi.RedisErrorException if the server refuses, for example the password
     */
    PubSubConnection open(long patienceNanos);
}
