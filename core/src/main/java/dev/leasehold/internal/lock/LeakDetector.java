package dev.leasehold.internal.lock;

import dev.leasehold.Lease;
import dev.leasehold.internal.lease.Reachability;
import java.lang.ref.WeakReference;

/** Detects whether the handle of a lease is still reachable, by a weak reference. */
final class LeakDetector extends WeakReference<Lease> implements Reachability {

    private final String takenAt;

    LeakDetector(Lease handle, String takenAt) {
        super(handle);
        this.takenAt = takenAt;
    }

    @Override
    public boolean reachable() {
        return get() != null;
    }

    @Override
    public String acquiredAt() {
        return takenAt;
    }
}
