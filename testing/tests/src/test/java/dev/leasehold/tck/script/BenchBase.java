package dev.leasehold.tck.script;

import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Base of tests of scripts: an empty server, one lock, and clients that subscribe. */
@WithRedis
abstract class BenchBase {

    EmbeddedRedis redis;
    Bench lock;
    private final List<Wire> subscribers = new ArrayList<>();

    Duration memory() {
        return Duration.ofSeconds(60);
    }

    @BeforeEach
    void open(EmbeddedRedis started) {
        redis = started;
        lock = new Bench(redis, memory());
    }

    @AfterEach
    void close() {
        subscribers.forEach(Wire::close);
        redis.command("CONFIG", "SET", "maxmemory", "0");
        lock.close();
    }

    /** Opens a client that subscribes to its channel. */
    final Wire subscribes(String channel) {
        Wire wire = new Wire(redis);
        subscribers.add(wire);
        wire.command(List.of("SUBSCRIBE", channel));
        return wire;
    }
}
