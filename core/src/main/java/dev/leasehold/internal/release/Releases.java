package dev.leasehold.internal.release;

import dev.leasehold.internal.inspection.Inspection;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.LeaseValidity;
import dev.leasehold.internal.lease.TokenFloors;
import dev.leasehold.internal.renew.Watchdog;
import dev.leasehold.internal.request.Operation;
import dev.leasehold.internal.request.RefusalMessages;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.retain.RetainedLocks;
import dev.leasehold.internal.store.RequestRelease;
import dev.leasehold.internal.wait.LocalHandOff;
import dev.leasehold.internal.wait.ReaderGroups;
import java.util.Optional;

/** Creates the operations by which holders end their leases, or others ask them to. Safe for use by any thread. */
public final class Releases {

    private final RequestContext context;
    private final String process;
    private final LeaseTable leases;
    private final LeaseEvents events;
    private final LeaseTermination termination;
    private final LeaseValidity validity;
    private final TokenFloors floors;
    private final Watchdog watchdog;
    private final LocalHandOff handOff;
    private final ReaderGroups readers;
    private final RetainedLocks retained;

    public Releases(
            RequestContext context,
            String process,
            LeaseTable leases,
            LeaseEvents events,
            LeaseTermination termination,
            LeaseValidity validity,
            TokenFloors floors,
            Watchdog watchdog,
            LocalHandOff handOff,
            ReaderGroups readers,
            RetainedLocks retained) {
        this.context = context;
        this.process = process;
        this.leases = leases;
        this.events = events;
        this.termination = termination;
        this.validity = validity;
        this.floors = floors;
        this.watchdog = watchdog;
        this.handOff = handOff;
        this.readers = readers;
        this.retained = retained;
    }

    public ReleaseOperation of(LeaseRecord record) {
        HandOff next = new HandOff(context, floors, handOff, record);
        KeepRequests keep = record.options().minHold() == null
                ? null
                : new KeepRequests(context, process, floors, record, leases.newId());
        return new ReleaseOperation(context, leases, events, termination, handOff, next, retained, keep, record);
    }

    /** Releases a lease of a retained hold without a request; false if its release needs one. */
    public boolean leave(LeaseRecord record) {
        return retained.leave(record);
    }

    public DowngradeOperation downgrade(LeaseRecord writer) {
        return new DowngradeOperation(
                context, leases, events, termination, validity, floors, watchdog, handOff, readers, writer);
    }

    /**
     * Asks the holder of a lock to release it; the outcome is whether there is a holder.
     *
     * @throws UnsupportedOperationException if the key of the lock has no room for a request
     */
    public Operation<Boolean> request(LockKey key) {
        if (key.kind().isForeign() || key.kind() == LockKind.QUORUM) {
            throw ReleaseMessages.noRequests(key);
        }
        return Inspection.timed(
                context,
                key,
                (notAfter, timeout) -> new RequestRelease(key, notAfter, timeout),
                answer -> switch (answer.code()) {
                    case REQUESTED -> Optional.of(true);
                    case FREE -> Optional.of(false);
                    case STALE -> Optional.empty();
                    case FOREIGN -> throw RefusalMessages.foreign(key, answer.detail());
                });
    }
}
