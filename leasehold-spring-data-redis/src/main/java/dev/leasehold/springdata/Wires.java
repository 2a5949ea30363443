package dev.leasehold.springdata;

import dev.leasehold.internal.adapter.PubSubConnection;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.TransportException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens connections to where a factory leads, with its settings. Safe for use by any thread. */
interface Wires {

    /** Returns the address of the server, for messages. */
    String address();

    /** The server, if there is only one and it is known without asking. */
    @Nullable
    RedisNode server();

    /** Returns whether the connections lead to a cluster. */
    boolean isCluster();

    /**
     * The nodes of a cluster as it is now, primaries first.
     *
     * @throws TransportException if no server answers in time
     */
    List<RedisNode> nodes(long timeoutNanos);

    /**
     * Opens a connection.
     *
     * @throws TransportException if there is none in time; nothing was sent
     * @throws RedisErrorException if the server refuses, for example the password
     */
    Wire open(long timeoutNanos);

    /** Opens one for subscriptions, else like {@link #open}. */
    PubSubConnection openPubSub(long timeoutNanos);

    /** Ends what was made for opening them, and never what was lent. */
    void close();
}
