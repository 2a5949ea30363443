package dev.leasehold.shedlock;

import dev.leasehold.Lease;

/** One run of a job: its lease, through all extensions, and whether the run is over. */
final class Job {

    private final Lease lease;
    private volatile boolean over;

    Job(Lease lease) {
        this.lease = lease;
    }

    Lease lease() {
        return lease;
    }

    boolean over() {
        return over;
    }

    void end() {
        over = true;
    }
}
