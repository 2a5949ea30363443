package dev.leasehold.internal.acquire;

import dev.leasehold.LockOptions;
import dev.leasehold.internal.dispatch.TraceDispatcher;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.LeaseBundle;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseValidity;
import dev.leasehold.internal.request.MultiKeyCalls;
import dev.leasehold.internal.time.WaitLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates acquisitions: of one lock, of several, and of exported leases. Safe for use by any thread. */
public final class Acquisitions {

    private final AcquireServices services;
    private final LeaseValidity validity;
    private final MultiKeyCalls slots;

    public Acquisitions(AcquireServices services, LeaseValidity validity, MultiKeyCalls slots) {
        this.services = services;
        this.validity = validity;
        this.slots = slots;
    }

    public Acquisition of(AcquireRequest request) {
        return new Acquisition(services, request);
    }

    public MultiAcquisition ofAll(List<LockKey> names, LockOptions options, @Nullable Thread thread, WaitLimit limit) {
        TraceDispatcher trace = services.events().trace(names);
        return new MultiAcquisition(this, services, validity, slots, names, options, thread, limit, trace);
    }

    LeaseBundle bundle(List<LeaseRecord> records, @Nullable Thread interruptedOnLoss) {
        return new LeaseBundle(services.events(), validity, services.termination(), records, interruptedOnLoss);
    }

    public ResumeOperation of(ExportedLease exported, LockOptions options, @Nullable Thread thread) {
        return new ResumeOperation(services, exported, options, thread);
    }
}
