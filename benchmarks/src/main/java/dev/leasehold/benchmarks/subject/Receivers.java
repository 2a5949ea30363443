package dev.leasehold.benchmarks.subject;

import io.lettuce.core.RedisClient;
import java.util.List;

/** One connection that receives the messages of many channels, and ignores them. */
public final class Receivers implements AutoCloseable {

    private final RedisClient client;

    /** Connects, and subscribes to these channels. */
    public Receivers(String uri, List<String> channels) {
        client = RedisClient.create(uri);
        client.connectPubSub().sync().subscribe(channels.toArray(String[]::new));
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
