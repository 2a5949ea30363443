package dev.leasehold.jedis;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.TransportException;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;

/**
 * The source of connections to one server: Leasehold's own, or those of the application's client. Safe for use by any
 * thread.
 */
interface Connections extends KeptConnections {

    /** The server, if it is known without asking it. */
    @Nullable
    RedisNode node();

    /**
     * One for an exchange on the caller's thread. An interrupt does not end the wait and is kept.
     *
     * @param timeoutNanos for how long to wait, be it for another caller or for the server
     * @throws TransportException if there is none in time; nothing was sent
     * @throws RedisErrorException if the server refuses, for example the password
     */
    Connection borrow(long timeoutNanos);

    /**
     * Ends the exchange. A broken connection is closed.
     *
     * @param othersToo whether idle connections have probably broken with it
     */
    void giveBack(Connection connection, boolean othersToo);

    /** Closes what is our own. */
    void close();
}
