package dev.leasehold.jedis;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import redis.clients.jedis.Connection;

/** The source of dedicated connections: for a batch thread, or for subscriptions. Safe for use by any thread. */
interface KeptConnections {

    /** Returns the address of the server, for messages. */
    String address();

    /**
     * Opens one. An interrupt does not end the wait and is kept.
     *
     * @param timeoutNanos for how long to wait
     * @throws TransportException if there is none in time; nothing was sent
     * @throws RedisErrorException if the server refuses, for example the password
     */
    Connection open(long timeoutNanos);

    /** Ends what {@link #open} gave. A broken connection is closed. */
    void end(Connection connection);
}
