package dev.leasehold.internal.lease;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.script.TokenFloor;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The highest fencing token this client has seen of each name. Sent with every acquire, so that one surviving client
 * keeps the tokens from going back when Redis has lost its data. Bounded: an entry is forgotten after the retention and a
 * lease, when Redis would have forgotten the name too.
 */
public final class TokenFloors {

    private static final int SWEEP_SIZE = 1024;
    private static final TokenFloor NONE = new TokenFloor(0);

    private final long keptNanos;
    private final Map<String, Entry> floors = new ConcurrentHashMap<>();
    private volatile int sweepAt = SWEEP_SIZE;

    private record Entry(long token, long until) {}

    public TokenFloors(long keptNanos) {
        this.keptNanos = keptNanos;
    }

    public TokenFloor of(LockKey key) {
        Entry entry = floors.get(key.key());
        return entry == null ? NONE : new TokenFloor(entry.token);
    }

    public void seen(LockKey key, long token, long leaseNanos, long now) {
        Entry fresh = new Entry(token, now + keptNanos + leaseNanos);
        floors.merge(key.key(), fresh, (a, b) -> a.token > b.token ? new Entry(a.token, b.until) : b);
        if (floors.size() > sweepAt) {
            sweep(now);
        }
    }

    int size() {
        return floors.size();
    }

    private void sweep(long now) {
        for (Iterator<Entry> i = floors.values().iterator(); i.hasNext(); ) {
            if (now - i.next().until >= 0) {
                i.remove();
            }
        }
        // What is left is in use: look again when it has doubled, so that a sweep costs nothing per acquisition.
        sweepAt = Math.max(SWEEP_SIZE, 2 * floors.size());
    }
}
