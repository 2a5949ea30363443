package dev.leasehold.internal.acquire;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.time.ExpiringMap;
import dev.leasehold.spi.Timer;
import java.util.function.LongSupplier;

/**
 * The locks at which this client met others within the last seconds. It sends the request for a free lock only for
 * other locks, because a refusal of that request makes a second one necessary.
 */
public final class RecentContention {

    /** As long as the longest interval between two polls of a waiter. */
    private static final long REMEMBERED_NANOS = 5_000_000_000L;

    private final ExpiringMap<String, Long> untilByKey;

    public RecentContention(Timer timer, LongSupplier now) {
        untilByKey = new ExpiringMap<>(timer, now, until -> until);
    }

    /** The lock was held by others, or waited for. */
    void met(LockKey key, long now) {
        untilByKey.put(key.key(), now + REMEMBERED_NANOS);
    }

    boolean at(LockKey key, long now) {
        Long until = untilByKey.get(key.key());
        return until != null && now - until < 0;
    }

    int size() {
        return untilByKey.size();
    }
}
