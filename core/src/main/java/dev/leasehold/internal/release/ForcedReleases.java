package dev.leasehold.internal.release;

import dev.leasehold.event.LossCause;
import dev.leasehold.internal.inspection.Inspection;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.request.Drivers;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.retain.RetainedLocks;
import java.util.List;

/** Takes locks away from their holders. Those of this client know of it when the call returns. Safe for use by any thread. */
public final class ForcedReleases {

    private static final String DETAIL = "this client released the lock by force";

    private final RequestContext context;
    private final Drivers drivers;
    private final LeaseTable leases;
    private final LeaseTermination termination;
    private final RetainedLocks retained;

    public ForcedReleases(
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

    /** Takes a lock away from the holders with this token, from whichever if it is 0; returns whether there were any. */
    public boolean run(LockKey key, long token) {
        // Before the request is sent: Redis may grant the lock again before its answer is read.
        List<LeaseRecord> held = leases.all().stream()
                .filter(record -> record.key().key().equals(key.key()) && record.holding())
                .toList();
        Runnable retainedIsLost = retained.onceTaken(key, DETAIL);
        ForcedRelease release = new ForcedRelease(key, token);
        boolean freed = drivers.runUninterruptibly(Inspection.timed(context, key, release::request, release::outcome));
        if (freed && endsAll(key, token)) {
            held.forEach(this::lost);
            retainedIsLost.run();
        }
        return freed;
    }

    /** Returns whether no holder is left: of the servers of a quorum, some may have kept a hold with another token. */
    private static boolean endsAll(LockKey key, long token) {
        return key.kind() != LockKind.QUORUM || token == 0;
    }

    private void lost(LeaseRecord record) {
        termination.disown(record.denied(LossCause.DELETED), LeaseEvent.DISOWNED, LossCause.DELETED, DETAIL);
    }
}
