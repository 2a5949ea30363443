package dev.leasehold.internal.acquire;

import dev.leasehold.LockOptions;
import dev.leasehold.internal.dispatch.TraceDispatcher;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.ExportedLease;
import dev.leasehold.internal.lease.LeaseBundle;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.LeaseValidity;
import dev.leasehold.internal.lease.TokenFloors;
import dev.leasehold.internal.renew.Watchdog;
import dev.leasehold.internal.request.MultiKeyCalls;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.wait.LocalWaiters;
import dev.leasehold.internal.wait.ReaderGroups;
import dev.leasehold.internal.wait.WaitLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates acquisitions: of one lock, of several, and of exported leases. Safe for use by any thread. */
public final class Acquisitions {

    private final RequestContext context;
    private final String process;
    private final LeaseTable leases;
    private final LeaseEvents events;
    private final LeaseTermination termination;
    private final LeaseValidity validity;
    private final TokenFloors floors;
    private final Watchdog watchdog;
    private final LocalWaiters waiters;
    private final ReaderGroups readers;
    private final MultiKeyCalls slots;

    /**
     * Takes what acquisitions use.
     *
     * @param process pid@host, which inspections show beside the holder
     */
    public Acquisitions(
            RequestContext context,
            String process,
            LeaseTable leases,
            LeaseEvents events,
            LeaseTermination termination,
            LeaseValidity validity,
            TokenFloors floors,
            Watchdog watchdog,
            LocalWaiters waiters,
            ReaderGroups readers,
            MultiKeyCalls slots) {
        this.context = context;
        this.process = process;
        this.leases = leases;
        this.events = events;
        this.termination = termination;
        this.validity = validity;
        this.floors = floors;
        this.watchdog = watchdog;
        this.waiters = waiters;
        this.readers = readers;
        this.slots = slots;
    }

    public Acquisition of(AcquireRequest request) {
        return new Acquisition(
                context, process, leases, events, termination, floors, watchdog, waiters, readers, request);
    }

    public MultiAcquisition ofAll(List<LockKey> names, LockOptions options, @Nullable Thread thread, WaitLimit limit) {
        TraceDispatcher trace = events.trace(names.stream().map(LockKey::name).toList());
        return new MultiAcquisition(
                this, context, termination, validity, watchdog, slots, names, options, thread, limit, trace);
    }

    LeaseBundle bundle(List<LeaseRecord> records, @Nullable Thread interruptedOnLoss) {
        return new LeaseBundle(events, validity, termination, records, interruptedOnLoss);
    }

    public ResumeOperation of(ExportedLease exported, LockOptions options, @Nullable Thread thread) {
        return new ResumeOperation(
                context, process, leases, events, termination, floors, watchdog, exported, options, thread);
    }
}
