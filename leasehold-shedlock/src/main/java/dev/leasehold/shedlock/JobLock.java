package dev.leasehold.shedlock;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LeaseNotResumableException;
import dev.leasehold.LeaseholdException;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lock of one run of a job, from its start or its last extension on. */
final class JobLock extends AbstractSimpleLock {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseholdLockProvider.class);

    /** Added to a lease that lasts long enough, so that Redis is asked whether it is there. */
    private static final Duration LEAST_EXTENSION = Duration.ofMillis(1);

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

    /** A loss is no error here: the job is over, and who heard of none while it ran could not have done anything any more. */
    @Override
    protected void doUnlock() {
        Jobs.end(job);
        long rest = atLeastUntil - provider.nanoTime();
        try {
            if (rest > 0) {
                keepFor(Duration.ofNanos(rest));
            } else {
                job.lease().release();
            }
        } catch (LeaseLostException e) {
            LOG.debug("the lock of a job that has ended was lost while it ran", e);
        }
    }

    /**
     * The lease is followed by one that ends in time and that nobody renews, in one step, so that the lock is never free between.
     * That one is exported, only for its hold to stay in Redis when it is closed, and when the client is. Before, Redis is asked
     * whether the lease is there: who closes an exported lease is not told of its loss.
     */
    private void keepFor(Duration rest) {
        Lease lease = job.lease();
        String exported = lease.export();
        try {
            if (!lease.extend(LEAST_EXTENSION)) {
                return;
            }
        } catch (LeaseholdException e) {
            LOG.debug("whether a job that has ended still had its lock is not known", e);
        }
        lease.close();
        try {
            Lease rester = provider.resume(exported, rest);
            String unused = rester.export();
            rester.close();
        } catch (LeaseNotResumableException e) {
            LOG.debug("the lock of a job that has ended was lost while it ran", e);
        } catch (LeaseholdException e) {
            LOG.warn(
                    "{} could not be shortened to lockAtLeastFor; it stays until its lease ends, unless the request was carried"
                            + " out unheard: {}",
                    provider.lockOf(lockConfiguration),
                    e.getMessage());
        }
    }

    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration configuration) {
        Lease lease = job.lease();
        Duration lacking = configuration.getLockAtMostFor().minus(lease.remaining());
        boolean extended;
        try {
            extended = lease.extend(lacking.compareTo(LEAST_EXTENSION) < 0 ? LEAST_EXTENSION : lacking);
        } catch (LeaseholdException e) {
            throw new LockException(provider.lockOf(configuration) + " could not be extended", e);
        }
        return extended ? Optional.of(new JobLock(provider, job, configuration)) : Optional.empty();
    }
}
