package dev.leasehold.internal.redis.path;

import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.PushListener;
import dev.leasehold.spi.RedisConnection;
import java.util.concurrent.CompletionStage;

/** The way to one server: always the same one, or whichever Sentinels name at the time. */
public interface ServerRoute {

    /** Returns where it leads, for messages. */
    String address();

    /** Opens a connection. Blocks if the connector does, except for subscriptions, which it opens on another thread. */
    CompletionStage<RedisConnection> connect(ConnectionPurpose purpose, PushListener listener, long timeoutNanos);

    /** Called by a path that lost a connection or could not open one: the topology may have changed. */
    default void troubled() {}
}
