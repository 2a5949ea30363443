package dev.leasehold.internal.lock;

import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.internal.acquire.Acquisition;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.request.Operation;
import org.jspecify.annotations.Nullable;

/** The retained holds of one lock, as its view uses them. */
final class Retention {

    private final LockServices services;
    private final LockKey key;
    private final LockOptions options;

    Retention(LockServices services, LockKey key, LockOptions options) {
        this.services = services;
        this.key = key;
        this.options = options;
    }

    /**
     * Refuses to retain holds of a lock of which no lease can follow another without a request.
     *
     * @param lock the lock, for the message
     */
    static void check(
            String lock, LockKey key, LockOptions options, @Nullable OwnerKey owner, boolean fair, boolean writes) {
        if (options.retainFor() == null) {
            return;
        }
        String why = switch (key.kind()) {
            case PLAIN -> "its key has no room for the channel on which other clients ask for the lock";
            case QUORUM -> "no single server knows whether other clients wait";
            case READ -> "readers share a hold";
            case PERMITS -> "the holders of permits share a semaphore";
            case STANDARD -> whyNotExclusively(owner, fair, writes);
        };
        if (why != null) {
            throw LockMessages.noRetention(lock, why);
        }
    }

    private static @Nullable String whyNotExclusively(@Nullable OwnerKey owner, boolean fair, boolean writes) {
        if (writes) {
            return "readers of this client would need a request to enter";
        }
        if (fair) {
            return "its next holder is the head of the queue, which only Redis knows";
        }
        return owner == null ? null : "a named owner may have several holds, also in other processes";
    }

    /** Takes over a retained hold without a request; null if there is none, or if the thread is interrupted. */
    @Nullable
    Lease lease() {
        Thread caller = Thread.currentThread();
        LeaseRecord taken = options.retainFor() == null || caller.isInterrupted() ? null : record(caller, false);
        return taken == null
                ? null
                : services.handles().of(taken, services.callSites().here(taken.grantedAt()));
    }

    /** Takes over a retained hold without a request, for this thread; null if there is none. */
    @Nullable
    LeaseRecord record(@Nullable Thread holder, boolean tied) {
        return services.retained().take(key, options, holder, tied);
    }

    /** Returns the acquisition, preceded by the release of a retained hold that it could not take over. */
    Operation<Acquisition.Outcome> before(Acquisition acquisition) {
        return services.retained().before(key, options, acquisition.limit(), acquisition);
    }
}
