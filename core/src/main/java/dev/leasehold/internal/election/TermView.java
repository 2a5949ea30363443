package dev.leasehold.internal.election;

import dev.leasehold.Lease;
import dev.leasehold.recipes.Term;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** A term as its leader sees it: a lease that only the candidacy can release. */
final class TermView implements Term {

    final Lease lease;

    /** Whether a timer will release the lease even if the listener does not return. */
    final AtomicBoolean bounded = new AtomicBoolean();

    TermView(Lease lease) {
        this.lease = lease;
    }

    @Override
    public String name() {
        return lease.name();
    }

    @Override
    public long fencingToken() {
        return lease.fencingToken();
    }

    @Override
    public boolean isHeld() {
        return lease.isHeld();
    }

    @Override
    public void ensureHeld() {
        lease.ensureHeld();
    }

    @Override
    public Duration remaining() {
        return lease.remaining();
    }

    @Override
    public String toString() {
        return "Term[" + lease + "]";
    }
}
