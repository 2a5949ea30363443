package dev.leasehold.internal.script;

import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.spi.TimeSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The clocks of the servers behind a transport. The nodes of a cluster may disagree, so each shard has its own, which its answers
 * set. Where shards are not known there is one. Safe for use by any thread.
 */
public final class ServerClocks {

    private final TimeSource time;
    private final ServerClock first;
    private final Map<String, ServerClock> byShard = new ConcurrentHashMap<>();

    /** Begins with the time of one of the servers, which was asked for at this local moment. */
    public ServerClocks(TimeSource time, ServerTime first, long sentAt) {
        this.time = time;
        this.first = new ServerClock(first, sentAt);
    }

    long now() {
        return time.nanoTime();
    }

    ServerClock of(String shard) {
        return shard.isEmpty() ? first : byShard.computeIfAbsent(shard, unknown -> first.copy());
    }
}
