package dev.leasehold.tck;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Counters of the traffic through a proxy. Thread-safe. */
final class ProxyCounters {

    private final AtomicLong connections = new AtomicLong();
    private final AtomicLong bytesToServer = new AtomicLong();
    private final AtomicLong bytesToClient = new AtomicLong();
    private final Map<String, Long> requests = new ConcurrentHashMap<>();

    void connection() {
        connections.incrementAndGet();
    }

    long connections() {
        return connections.get();
    }

    void bytes(Direction direction, int count) {
        counter(direction).addAndGet(count);
    }

    long bytes(Direction direction) {
        return counter(direction).get();
    }

    private AtomicLong counter(Direction direction) {
        return direction == Direction.TO_SERVER ? bytesToServer : bytesToClient;
    }

    void request(String command) {
        requests.merge(command, 1L, Long::sum);
    }

    Map<String, Long> requests() {
        return new TreeMap<>(requests);
    }
}
