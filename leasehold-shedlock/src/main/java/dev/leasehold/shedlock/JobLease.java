package dev.leasehold.shedlock;

import dev.leasehold.Lease;
import java.util.Optional;

/**
 * The lease under which the calling thread runs a job of ShedLock: for its fencing token, and to ask whether it is still held. Safe
 * for use by any thread.
 */
public final class JobLease {

    private JobLease() {}

    /**
     * The lease of the innermost job.
     *
     * @return the lease; it may have been lost meanwhile. Leave it to ShedLock to give it back
     * @throws IllegalStateException if the thread runs no job under a lock of a {@link LeaseholdLockProvider}
     */
    public static Lease get() {
        return find().orElseThrow(() -> new IllegalStateException(
                "this thread runs no job under a lock of a LeaseholdLockProvider: take the lease in the thread that ShedLock"
                        + " started the job in, and hand it on to others as a parameter"));
    }

    /**
     * The lease of the innermost job, if there is one.
     *
     * @return the lease, or empty if the thread runs no job under a lock of a {@link LeaseholdLockProvider}
     */
    public static Optional<Lease> find() {
        return Jobs.innermost().map(Job::lease);
    }
}
