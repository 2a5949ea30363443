package dev.leasehold.shedlock;

import dev.leasehold.Lease;
import java.util.Optional;

/**
 * The lease under which the calling thread runs a job of ShedLock: for its fencing token, and to check whether it is
 * still held. Thread-safe.
 */
public final class JobLease {

    private JobLease() {}

    /**
     * Returns the lease of the innermost job.
     *
     * @return the lease; it may have been lost meanwhile. Do not release it: ShedLock does
     * @throws IllegalStateException if the thread runs no job under a lock of a {@link LeaseholdLockProvider}
     */
    public static Lease get() {
        return find().orElseThrow(() -> new IllegalStateException(
                "this thread runs no job under a lock of a LeaseholdLockProvider: get the lease in the thread in which"
                        + " ShedLock started the job, and pass it to other threads as a parameter"));
    }

    /**
     * Returns the lease of the innermost job, if there is one.
     *
     * @return the lease, or empty if the thread runs no job under a lock of a {@link LeaseholdLockProvider}
     */
    public static Optional<Lease> find() {
        return Jobs.innermost().map(Job::lease);
    }
}
