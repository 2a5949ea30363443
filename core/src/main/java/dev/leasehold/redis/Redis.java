package dev.leasehold.redis;

import dev.leasehold.internal.redis.ConnectedRedis;
import dev.leasehold.spi.RedisConnector;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.TransportException;

/** Makes a transport of what an adapter of a Redis client implements. */
public final class Redis {

    private Redis() {}

    /**
     * Connects by a connector, and blocks at most its connect timeout for each seed. The connector ends with the transport,
     * and also if this throws.
     *
     * <p><b>Connections.</b> Over a multiplexing connector, at most six: one for what callers wait for, one for batches, one for
     * subscriptions, one for what replicas are awaited for, one for {@linkplain RedisTransport#onInvalidation tracked} scripts, and one for
     * {@linkplain RedisTransport#inspect inspection}; the last four are opened at their first use. Each is opened again when it breaks, at first after about 10 ms, then with growing
     * pauses of up to 1 s. A blocking connector also opens one for each caller that waits at the same time, at most 16.
     *
     * <p><b>Cluster.</b> A server that turns out to be a node of a cluster leads to the others, to which connections are opened
     * when they are first needed. Calls go to the primary of their key's slot and follow MOVED and ASK. The owners of the slots
     * are queried every 30 s, and as soon as a node redirects, does not answer or has to be connected to again, at most once a
     * second. A node that does not answer holds up nothing but its own calls.
     *
     * <p><b>Sentinel.</b> Before each connection all Sentinels are asked for the primary, and the answer of most of them is
     * believed. Two connections to each are kept, for that question and for what it publishes: when most of them name another
     * server, all connections to the last are given up at once, though it may still answer. So they are when it answers
     * {@code READONLY}, at most once a second.
     *
     * <p><b>At most once.</b> No command is sent twice, nor kept for a later connection. Commands in flight when a connection
     * breaks fail at once with {@link TransportException}, which says that they may have been executed. Commands that meet no
     * open connection wait for the one that is being opened, at most their timeout.
     *
     * <p><b>Silence.</b> If a caller gives up and nothing has arrived on the connection since, and for at least 150 ms, the
     * connection is replaced; other commands in flight on it fail. So the next attempt uses a new connection.
     *
     * @param connector opens the connections
     * @return the transport, connected
     * @throws TransportException if the server cannot be reached
     * @throws RedisErrorException if the server refuses, for example the password
     * @throws IllegalArgumentException if the server is a node of a cluster, and the connector does not reach the others
     */
    public static RedisTransport over(RedisConnector connector) {
        return ConnectedRedis.connect(connector);
    }
}
