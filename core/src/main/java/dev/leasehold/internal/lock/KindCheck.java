package dev.leasehold.internal.lock;

import dev.leasehold.LockOptions;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import org.jspecify.annotations.Nullable;

/** Refuses options that make no sense for a kind of lock. */
final class KindCheck {

    private final Object lock;
    private final LockKey key;
    private final @Nullable OwnerKey owner;
    private final boolean fair;
    private final boolean writes;

    /**
     * Prepares the check.
     *
     * @param lock what the message calls the lock, by its text
     * @param writes whether it is the write lock of a read-write lock
     */
    KindCheck(Object lock, LockKey key, @Nullable OwnerKey owner, boolean fair, boolean writes) {
        this.lock = lock;
        this.key = key;
        this.owner = owner;
        this.fair = fair;
        this.writes = writes;
    }

    /** @throws IllegalArgumentException if the options make no sense for the lock */
    void check(LockOptions options) {
        String noRetention = options.retainFor() == null ? null : whyNoRetention();
        if (noRetention != null) {
            throw LockMessages.noRetention(lock.toString(), noRetention);
        }
        String noMinimum = options.minHold() == null ? null : whyNoMinimum();
        if (noMinimum != null) {
            throw LockMessages.noMinimum(lock.toString(), noMinimum);
        }
    }

    /** Returns why no lease of the lock can follow another without a request; null if one can. */
    private @Nullable String whyNoRetention() {
        return switch (key.kind()) {
            case PLAIN, REDISSON, REDISSON_FENCED ->
                "its key has no room for the channel on which other clients ask for the lock";
            case QUORUM -> "no single server knows whether other clients wait";
            case READ -> "readers share a hold";
            case PERMITS -> "the holders of permits share a semaphore";
            case STANDARD -> {
                if (writes) {
                    yield "readers of this client would need a request to enter";
                }
                if (fair) {
                    yield "its next holder is the head of the queue, which only Redis knows";
                }
                yield owner == null ? null : "a named owner may have several holds, also in other processes";
            }
        };
    }

    /** Returns why a hold of the lock cannot stay under an id of its own after its release; null if it can. */
    private @Nullable String whyNoMinimum() {
        return switch (key.kind()) {
            case PLAIN, REDISSON, REDISSON_FENCED -> "its key has no room for a hold that outlives its lease";
            case QUORUM -> "its holds are not transferred, as each server knows only its own";
            case READ -> "readers share a hold";
            case PERMITS -> "the holders of permits share a semaphore";
            case STANDARD -> {
                if (writes) {
                    yield "a writer may become a reader before the time is over";
                }
                yield owner == null
                        ? null
                        : "a named owner may have several holds, also in other processes, which release the lock on their own";
            }
        };
    }
}
