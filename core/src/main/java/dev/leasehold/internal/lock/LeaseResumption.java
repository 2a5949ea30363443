package dev.leasehold.internal.lock;

import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.internal.acquire.Acquisitions;
import dev.leasehold.internal.acquire.ExportedLease;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.request.Drivers;
import dev.leasehold.internal.request.Lifecycle;
import dev.leasehold.internal.request.RequestContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Takes over leases that another process exported. */
public final class LeaseResumption {

    private final RequestContext context;
    private final OptionsCheck check;
    private final Drivers drivers;
    private final Acquisitions acquisitions;
    private final LeaseHandles handles;
    private final LeaseTable leases;
    private final CallSites callSites;

    public LeaseResumption(
            RequestContext context,
            OptionsCheck check,
            Drivers drivers,
            Acquisitions acquisitions,
            LeaseHandles handles,
            LeaseTable leases,
            CallSites callSites) {
        this.context = context;
        this.check = check;
        this.drivers = drivers;
        this.acquisitions = acquisitions;
        this.handles = handles;
        this.leases = leases;
        this.callSites = callSites;
    }

    /** Takes a lease over, on this thread. */
    public Lease resume(ExportedLease exported, LockOptions options) {
        context.ensureOpen();
        drivers.refuseOnEventLoop(exported.key());
        check(exported, options);
        LeaseRecord record = drivers.runUninterruptibly(acquisitions.of(exported, options, Thread.currentThread()));
        return handle(record, callSites.here());
    }

    /** Takes a lease over without a waiting thread. */
    public CompletionStage<Lease> resumeAsync(ExportedLease exported, LockOptions options) {
        check(exported, options);
        if (context.closed()) {
            return CompletableFuture.failedFuture(Lifecycle.closedException());
        }
        String acquiredAt = callSites.here();
        return drivers.promise(acquisitions.of(exported, options, null), record -> handle(record, acquiredAt));
    }

    private void check(ExportedLease exported, LockOptions options) {
        check.check(options);
        // The string does not say whether the lock is fair: Redis retains no hold for which somebody waits.
        OwnerKey owner = exported.owner();
        new KindCheck(exported.key().inWords(), exported.key(), owner, false, false).check(options);
    }

    private Lease handle(LeaseRecord record, String acquiredAt) {
        long unused = leases.afterGrant();
        return handles.of(record, acquiredAt);
    }
}
