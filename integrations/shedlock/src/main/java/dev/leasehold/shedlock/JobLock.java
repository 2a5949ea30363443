package dev.leasehold.shedlock;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LeaseNotResumableException;
import dev.leasehold.LeaseholdException;
import dev.leasehold.LockOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lock of one run of a job, since its start or its last extension. */
final class JobLock extends AbstractSimpleLock {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseholdLockProvider.class);

    /** The extension of a lease that lasts long enough. It makes Redis check that the hold still exists. */
    private static final Duration LEAST_EXTENSION = Duration.ofMillis(1);

    private static final long SHORTEST_REST = LockOptions.MIN_LEASE_TIME.toNanos();

    private final LeaseholdLockProvider provider;
    private final Job job;
    private final long atLeastUntil;

    JobLock(LeaseholdLockProvider provider, Job job, LockConfiguration configuration) {
        super(configuration);
        this.provider = provider;
        this.job = job;
        this.atLeastUntil =
                provider.nanoTime() + configuration.getLockAtLeastFor().toNanos();
    }

    /** Releases the lock. A loss is no error here: the job is over, and a loss while it ran was reported to it. */
    @Override
    protected void doUnlock() {
        Jobs.end(job);
        long rest = atLeastUntil - provider.nanoTime();
        try {
            if (rest >= SHORTEST_REST) {
                keepFor(Duration.ofNanos(rest));
            } else {
                waitUntil(atLeastUntil);
                job.lease().release();
            }
        } catch (LeaseLostException e) {
            LOG.debug("the lock of a finished job was lost while the job ran", e);
        }
    }

    /** Waits for a rest that is too short for a lease; an interrupt is restored afterwards. */
    private void waitUntil(long end) {
        boolean interrupted = false;
        for (long left = end - provider.nanoTime(); left > 0; left = end - provider.nanoTime()) {
            LockSupport.parkNanos(left);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Replaces the lease by one that ends in time and is not renewed, in one step, so that the lock is never free in
     * between. The new lease is exported so that its hold stays in Redis when the lease, or the client, is closed.
     * Before that, Redis checks that the old lease still exists, because closing an exported lease reports no loss.
     */
    private void keepFor(Duration rest) {
        Lease lease = job.lease();
        String exported = lease.export();
        try {
            if (!lease.extend(LEAST_EXTENSION)) {
                return;
            }
        } catch (LeaseholdException e) {
            LOG.debug("it is unknown whether a finished job still held its lock", e);
        }
        lease.close();
        try {
            Lease kept = provider.resume(exported, rest);
            String unused = kept.export();
            kept.close();
        } catch (LeaseNotResumableException e) {
            LOG.debug("the lock of a finished job was lost while the job ran", e);
        } catch (LeaseholdException e) {
            LOG.warn(
                    "{} could not be shortened to lockAtLeastFor; it stays until its lease ends, unless Redis executed the"
                            + " request and the answer was lost: {}",
                    provider.lockOf(lockConfiguration),
                    e.getMessage());
        }
    }

    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration configuration) {
        Lease lease = job.lease();
        Duration missing = configuration.getLockAtMostFor().minus(lease.remaining());
        boolean extended;
        try {
            extended = lease.extend(missing.compareTo(LEAST_EXTENSION) < 0 ? LEAST_EXTENSION : missing);
        } catch (LeaseholdException e) {
            throw new LockException(provider.lockOf(configuration) + " could not be extended", e);
        }
        return extended ? Optional.of(new JobLock(provider, job, configuration)) : Optional.empty();
    }
}
