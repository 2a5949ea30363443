package dev.leasehold.internal.lease;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.store.TokenFloor;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The highest fencing token that this client has seen for each lock. The client sends it with every acquire, so that one
 * surviving client keeps tokens from going back when Redis has lost its data. The table is bounded: an entry is removed after
 * the retention and one lease, when Redis would have removed the key, too.
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
        // The remaining entries are in use: the next sweep is due when their number has doubled, which keeps the cost
        // of sweeps
        // per acquisition constant.
        sweepAt = Math.max(SWEEP_SIZE, 2 * floors.size());
    }
}
