package dev.leasehold.internal.lease;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.internal.time.ExpiringMap;
import dev.leasehold.spi.Timer;
import java.util.function.LongSupplier;

/**
 * The highest fencing token that this client has seen for each lock. The client sends it with every acquire, so that one
 * surviving client keeps tokens from going back when Redis has lost its data. The table is bounded: an entry is removed after
 * the token memory and one lease, when Redis would have removed the key, too.
 */
public final class TokenFloors {

    private static final TokenFloor NONE = new TokenFloor(0);

    private final long keptNanos;
    private final ExpiringMap<String, Entry> floors;

    private record Entry(long token, long until) {}

    public TokenFloors(long keptNanos, Timer timer, LongSupplier now) {
        this.keptNanos = keptNanos;
        this.floors = new ExpiringMap<>(timer, now, Entry::until);
    }

    public TokenFloor of(LockKey key) {
        Entry entry = floors.get(key.key());
        return entry == null ? NONE : new TokenFloor(entry.token);
    }

    /** Returns the highest token that this client knows of the name of a lease: one that it has seen, or reserved for hand-offs. */
    public TokenFloor above(LeaseRecord record) {
        return new TokenFloor(Math.max(record.lastToken(), of(record.key()).token()));
    }

    public void seen(LockKey key, long token, long leaseNanos, long now) {
        Entry fresh = new Entry(token, now + keptNanos + leaseNanos);
        floors.merge(key.key(), fresh, (a, b) -> a.token > b.token ? new Entry(a.token, b.until) : b);
    }

    int size() {
        return floors.size();
    }
}
