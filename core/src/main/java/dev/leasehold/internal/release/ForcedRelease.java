package dev.leasehold.internal.release;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.request.RefusalMessages;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.ServerTime;
import java.util.Optional;

/**
 * Takes a lock away from its holders, of whom there may be so many that several requests are needed; then a crash in between leaves
 * the others. Used by one thread at a time.
 */
final class ForcedRelease {

    private final LockKey key;
    private final long token;
    private String cursor = ForceRelease.FIRST;
    private long removed;

    /** Creates it for the holders with a token; 0 for whichever. */
    ForcedRelease(LockKey key, long token) {
        this.key = key;
        this.token = token;
    }

    ForceRelease request(ServerTime notAfter, long timeoutNanos) {
        return new ForceRelease(key, token, notAfter, cursor, timeoutNanos);
    }

    /** Returns whether there were holders; empty if another request is needed. */
    Optional<Boolean> outcome(ForceRelease.Answer answer) {
        removed += answer.removed();
        return switch (answer.code()) {
            case FREED, FREE, OTHER -> Optional.of(removed > 0);
            case MORE -> {
                cursor = answer.detail();
                yield Optional.empty();
            }
            case STALE -> Optional.empty();
            case FOREIGN -> throw RefusalMessages.foreign(key, answer.detail());
        };
    }
}
