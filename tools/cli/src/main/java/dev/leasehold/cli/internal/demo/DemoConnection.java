package dev.leasehold.cli.internal.demo;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;

/** A connection for the keys of a demonstration that are no concern of a lock client. */
final class DemoConnection implements AutoCloseable {

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    private DemoConnection(RedisClient client) {
        this.client = client;
        this.connection = client.connect();
    }

    /** Connects to the server of a URI. */
    static DemoConnection open(String uri) {
        RedisURI address = parse(uri);
        address.setTimeout(Duration.ofSeconds(5));
        RedisClient client = RedisClient.create(address);
        client.setOptions(ClientOptions.builder().autoReconnect(false).build());
        try {
            return new DemoConnection(client);
        } catch (RuntimeException e) {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
            throw e;
        }
    }

    /** What Lettuce says of a URI may quote it, and with it a password. */
    private static RedisURI parse(String uri) {
        try {
            return RedisURI.create(uri);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the demonstration needs the URI of one server, as in redis://host:6379/0; it cannot use the given one");
        }
    }

    RedisCommands<String, String> redis() {
        return connection.sync();
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
}
