package dev.leasehold.spi;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The port to a Redis client: opens connections with it, and nothing more. Scripts, redirections, topology, Sentinels,
 * subscriptions, pools and reconnecting are Leasehold's own, and the same over every client. Safe for use by any thread.
 * Passwords never appear in its exceptions and its output.
 */
public interface RedisConnector extends AutoCloseable {

    /**
     * Returns what it leads to.
     *
     * @return always the same
     */
    ConnectorInfo info();

    /**
     * Opens a connection. A blocking connector may block until it is open.
     *
     * @param to the server; null for the client's own, if {@link ConnectorInfo#seeds()} is empty
     * @param purpose what it is for
     * @param listener hears what the connection receives unasked, and its end
     * @param timeoutNanos how long to wait
     * @return the open connection. Fails with {@link TransportException} if there is none in time, and with
     *     {@link RedisErrorException} if the server refuses, for example the password
     */
    CompletionStage<RedisConnection> connect(
            @Nullable RedisAddress to, ConnectionPurpose purpose, PushListener listener, long timeoutNanos);

    /**
     * Ends what the connector itself has begun, such as threads. Its connections have been closed before, except for those
     * that are being opened, which are closed as soon as they are open. Does not block for longer than a second.
     */
    @Override
    void close();
}
