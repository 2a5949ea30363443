package dev.leasehold.internal.lock;

import dev.leasehold.Lease;
import dev.leasehold.internal.lease.LeaseRecord;
import java.lang.ref.WeakReference;

/** Whether a lease is still in anybody's hand. */
final class LeakDetector extends WeakReference<Lease> implements LeaseRecord.Reachability {

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
    public String takenAt() {
        return takenAt;
    }
}
