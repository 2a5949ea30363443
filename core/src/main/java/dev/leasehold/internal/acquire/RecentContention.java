package dev.leasehold.internal.acquire;

import dev.leasehold.internal.key.LockKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The locks at which this client met others within the last seconds. It sends the request for a free lock only for
 * other locks, because a refusal of that request makes a second one necessary.
 */
public final class RecentContention {

    /** As long as the longest interval between two polls of a waiter. */
    private static final long REMEMBERED_NANOS = 5_000_000_000L;

    private static final int SWEEP_SIZE = 1024;

    private final Map<String, Long> untilByKey = new ConcurrentHashMap<>();
    private volatile int sweepAt = SWEEP_SIZE;

    /** The lock was held by others, or waited for. */
    void met(LockKey key, long now) {
        untilByKey.put(key.key(), now + REMEMBERED_NANOS);
        if (untilByKey.size() > sweepAt) {
            untilByKey.values().removeIf(until -> now - until >= 0);
            sweepAt = Math.max(SWEEP_SIZE, 2 * untilByKey.size());
        }
    }

    boolean at(LockKey key, long now) {
        Long until = untilByKey.get(key.key());
        return until != null && now - until < 0;
    }

    int size() {
        return untilByKey.size();
    }
}
