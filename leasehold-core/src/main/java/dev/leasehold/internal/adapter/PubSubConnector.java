package dev.leasehold.internal.adapter;

/** Opens connections for subscriptions. Safe for use by any thread. */
public interface PubSubConnector {

    /**
     * Returns the server's address, for messages.
     *
     * @return the address
     */
    String address();

    /**
     * Opens a connection. An interrupt does not end the wait; the interrupt status is kept.
     *
     * @param timeoutNanos the longest time to wait
     * @return the connection
     * @throws dev.leasehold.spi.TransportException if no connection is ready in time; nothing was sent
     * @throws dev.leasehold.spi.RedisErrorException if the server refuses, for example the password
     */
    PubSubConnection open(long timeoutNanos);
}
