package dev.leasehold.console.internal.observe;

import dev.leasehold.inspect.LockInfo;
import java.util.List;
import java.util.Objects;

/**
 * One holder of a lock from the first to the last refresh that saw it.
 *
 * @param info the lock as it was first seen in this tenure
 * @param from the start in milliseconds since the epoch: by the clock of Redis, or the first sight if Redis does not tell
 * @param until the end, or the last sight if it is still held
 * @param held whether it was held at the last refresh
 */
public record Tenure(LockInfo info, long from, long until, boolean held) {

    /** Forgets the queue, which may be long. */
    public Tenure {
        if (!info.waiters().isEmpty()) {
            info = info.toBuilder().waiters(List.of()).build();
        }
    }

    /** Returns whether a lock still has this holder. */
    boolean isOf(LockInfo other) {
        return info.fencingToken() == other.fencingToken()
                && info.owner().equals(other.owner())
                && Objects.equals(info.since(), other.since());
    }
}
