package dev.leasehold.internal.lock;

import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.internal.acquire.Acquisition;
import dev.leasehold.internal.key.LockKey;
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
        if (holder != null && options.retainFor() != null) {
            services.drivers().refuseOnEventLoop(key);
        }
        return services.retained().take(key, options, holder, tied);
    }

    /** Returns the acquisition, preceded by the release of a retained hold that it could not take over. */
    Operation<Acquisition.Outcome> before(Acquisition acquisition) {
        return services.retained().before(key, options, acquisition.limit(), acquisition);
    }
}
