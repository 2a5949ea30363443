package dev.leasehold.internal.release;

import dev.leasehold.inspect.ReleasedLease;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.request.Drivers;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.retain.RetainedLocks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Takes all leases of the client away from their holders. Safe for use by any thread. */
public final class Revocations {

    private final RequestContext context;
    private final Drivers drivers;
    private final LeaseTable leases;
    private final LeaseTermination termination;
    private final RetainedLocks retained;

    public Revocations(
            RequestContext context,
            Drivers drivers,
            LeaseTable leases,
            LeaseTermination termination,
            RetainedLocks retained) {
        this.context = context;
        this.drivers = drivers;
        this.leases = leases;
        this.termination = termination;
        this.retained = retained;
    }

    /** Declares every lease lost that is held now, and then releases the holds in parallel, within one command timeout. */
    public List<ReleasedLease> run() {
        // Their leases enter the table.
        retained.close();
        List<LeaseRecord> lost = new ArrayList<>();
        List<LeaseRecord> last = new ArrayList<>();
        for (LeaseRecord record : leases.all()) {
            if (record.holding()) {
                if (termination.revoke(record)) {
                    last.add(record);
                }
                if (record.state() == LeaseState.LOST) {
                    lost.add(record);
                }
            }
        }
        Set<AcquisitionId> confirmed = release(last);
        return lost.stream()
                .map(record -> new ReleasedLease(
                        record.key().name(), record.owner().name(), record.token(), confirmed.contains(record.hold())))
                .toList();
    }

    /** Returns the holds of which Redis confirmed that they are gone. */
    private Set<AcquisitionId> release(List<LeaseRecord> records) {
        List<Boolean> outcomes = drivers.runAll(records.stream()
                .map(record -> new Revocation(context, termination, record))
                .toList());
        Set<AcquisitionId> confirmed = new HashSet<>();
        for (int i = 0; i < records.size(); i++) {
            if (outcomes.get(i)) {
                confirmed.add(records.get(i).hold());
            }
        }
        return confirmed;
    }
}
