package dev.leasehold.internal.redis;

import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.PushListener;
import dev.leasehold.spi.RedisConnection;
import java.util.concurrent.CompletionStage;

/** The way to one server: always the same one, or whichever Sentinels name at the time. */
interface ServerRoute {

    /** Returns where it leads, for messages. */
    String address();

    /** Opens a connection. Blocks if the connector does. */
    CompletionStage<RedisConnection> connect(ConnectionPurpose purpose, PushListener listener, long timeoutNanos);
}
