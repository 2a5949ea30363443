package dev.leasehold.shedlock;

import dev.leasehold.DistributedLock;
import dev.leasehold.Durability;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdException;
import dev.leasehold.LockOptions;
import dev.leasehold.OwnedLock;
import dev.leasehold.Renewal;
import dev.leasehold.event.LossEvent;
import dev.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.jspecify.annotations.Nullable;

/**
 * A lock provider of ShedLock whose locks are those of a {@link Leasehold} client.
 *
 * <p>If another run holds the lock, the job is skipped, as with every lock provider: it does not wait.
 * {@code lockAtMostFor} is the lease time, and {@code lockAtLeastFor} the minimum time that the lock stays held. Both
 * count from the grant, by Redis' time and the monotonic clock, so the clocks of the instances need not agree. If less than 50 ms of
 * {@code lockAtLeastFor} is left at the end of a job, {@code unlock} waits for it. A job
 * that outlasts {@code lockAtMostFor} loses its lock, unless the lock is {@linkplain Builder#keepAlive() kept alive}.
 * The end of such a job never releases another run's lock.
 *
 * <p>A loss is reported while the job runs: to {@link Builder#onLost}, by an interrupt
 * ({@link LockOptions.Builder#interruptOnLoss}), and through the job's {@link JobLease}, whose fencing token lets the
 * guarded resource refuse a late write. {@code unlock} does not throw after a loss, because a
 * {@code ScheduledExecutorService} never again runs a job that threw.
 *
 * <p>If Redis does not answer, {@code lock} and {@code extend} throw {@link LockException} after the client's command
 * timeout, and {@code unlock} lets the client repeat the release in the background. If Redis does not answer an unlock
 * before {@code lockAtLeastFor}, the lock stays for the rest of {@code lockAtMostFor}, or may be free immediately if
 * Redis executed the request and only the answer was lost. Closing the client releases the locks of running jobs, but
 * not locks that stay for {@code lockAtLeastFor}. Thread-safe.
 */
public final class LeaseholdLockProvider implements ExtensibleLockProvider {

    private static final String DEFAULT_PREFIX = "job:";
    private static final String DONE = "done; kept for lockAtLeastFor";

    private final Leasehold leasehold;
    private final String namePrefix;
    private final LockOptions options;
    private final boolean renewed;
    private final @Nullable Duration leaseTime;
    private final @Nullable Consumer<LossEvent> onLost;
    private final TimeSource time = TimeSource.system();

    private LeaseholdLockProvider(Builder builder) {
        this.leasehold = builder.leasehold;
        this.namePrefix = builder.namePrefix;
        this.options = builder.options;
        this.renewed = builder.renewed;
        this.leaseTime = builder.leaseTime;
        this.onLost = builder.onLost;
    }

    /**
     * Creates a provider with default options: the semantics of ShedLock, without renewal.
     *
     * @param leasehold the client of the locks; the application closes it
     * @return the provider
     */
    public static LeaseholdLockProvider of(Leasehold leasehold) {
        return builder(leasehold).build();
    }

    /**
     * Starts a provider with options.
     *
     * @param leasehold the client of the locks; the application closes it
     * @return a new builder with default options
     */
    public static Builder builder(Leasehold leasehold) {
        return new Builder(leasehold);
    }

    /**
     * Tries once to acquire the lock of a job.
     *
     * @param configuration {@code lockAtMostFor} must be at least {@link LockOptions#MIN_LEASE_TIME} and at most the
     *     client's maximum lease time, by default a day
     * @return the lock, or empty if another run of the job holds it or it is kept for {@code lockAtLeastFor}
     * @throws LockException if Redis did not answer or refused; the cause is a {@link LeaseholdException}
     * @throws IllegalArgumentException if {@code lockAtMostFor} or the name breaks its rule
     * @throws UnsupportedOperationException if there is a {@code lockAtLeastFor} and the client is of a
     *     {@linkplain dev.leasehold.quorum.QuorumLeasehold quorum}
     * @throws IllegalStateException if the client is closed
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        DistributedLock lock = lockOf(configuration);
        if (!configuration.getLockAtLeastFor().isZero()) {
            checkThatLockCanOutliveItsLease(lock);
        }
        Optional<Lease> taken;
        try {
            taken = lock.with(optionsOf(lock, configuration)).tryAcquire();
        } catch (LeaseholdException e) {
            throw new LockException(lock + " could not be acquired", e);
        }
        return taken.map(lease -> {
            if (onLost != null) {
                lease.onLost(onLost);
            }
            Job job = new Job(lease);
            Jobs.begin(job);
            return new JobLock(this, job, configuration);
        });
    }

    DistributedLock lockOf(LockConfiguration configuration) {
        return leasehold.lock(namePrefix + configuration.getName());
    }

    /**
     * Only a lock with named owners can stay in Redis when its lease is closed. Creating a view of one sends nothing.
     */
    private static void checkThatLockCanOutliveItsLease(DistributedLock lock) {
        try {
            OwnedLock unused = lock.ownedBy(DONE);
        } catch (UnsupportedOperationException e) {
            throw new UnsupportedOperationException(
                    "lockAtLeastFor is not supported by " + lock
                            + ", which ends with its lease. Omit lockAtLeastFor, or use a client of one"
                            + " Redis",
                    e);
        }
    }

    private LockOptions optionsOf(DistributedLock lock, LockConfiguration configuration) {
        Duration atMost = configuration.getLockAtMostFor();
        if (atMost.compareTo(LockOptions.MIN_LEASE_TIME) < 0) {
            throw new IllegalArgumentException(
                    "lockAtMostFor " + atMost + " of " + lock + " is too short: it must be at least "
                            + LockOptions.MIN_LEASE_TIME + ". Choose a time well above the run time of the job");
        }
        LockOptions.Builder builder = options.toBuilder().leaseTime(atMost);
        if (!renewed) {
            return builder.renewal(Renewal.none()).maxHold(null).build();
        }
        Duration shortLease = leaseTime;
        if (shortLease == null) {
            return builder.build();
        }
        // The lock must stay for lockAtLeastFor even if the instance dies.
        Duration atLeast = configuration.getLockAtLeastFor();
        Duration lease = shortLease.compareTo(atLeast) > 0 ? shortLease : atLeast;
        Duration renewedFor = atMost.minus(lease);
        return renewedFor.isZero() || renewedFor.isNegative()
                ? builder.renewal(Renewal.none()).maxHold(null).build()
                : builder.leaseTime(lease).maxHold(renewedFor).build();
    }

    /**
     * Resumes a lease that only keeps the lock until lockAtLeastFor: without renewal and without waiting for replicas.
     */
    Lease resume(String exported, Duration rest) {
        return leasehold.resume(
                exported,
                options.toBuilder()
                        .leaseTime(rest)
                        .renewal(Renewal.none())
                        .maxHold(null)
                        .interruptOnLoss(false)
                        .durability(Durability.none())
                        .label(DONE)
                        .build());
    }

    long nanoTime() {
        return time.nanoTime();
    }

    /** Collects the options of a {@link LeaseholdLockProvider}. Not thread-safe. */
    public static final class Builder {

        private final Leasehold leasehold;
        private String namePrefix = DEFAULT_PREFIX;
        private LockOptions options = LockOptions.defaults();
        private boolean renewed;
        private @Nullable Duration leaseTime;
        private @Nullable Consumer<LossEvent> onLost;

        private Builder(Leasehold leasehold) {
            this.leasehold = Objects.requireNonNull(leasehold, "leasehold");
        }

        /**
         * Sets the prefix of the job's name in the name of its lock.
         *
         * @param prefix may be empty; default {@code "job:"}, so that job {@code report} has the lock
         *     {@code job:report}
         * @return this builder
         */
        public Builder namePrefix(String prefix) {
            namePrefix = Objects.requireNonNull(prefix, "prefix");
            return this;
        }

        /**
         * Keeps the lock of a job while the job runs: the lease of {@code lockAtMostFor} is renewed after each third of
         * it. If an instance dies, others wait for the rest of that lease.
         *
         * @return this builder
         */
        public Builder keepAlive() {
            renewed = true;
            leaseTime = null;
            return this;
        }

        /**
         * Keeps the lock of a job by a short lease, which is renewed while the job runs, but not beyond
         * {@code lockAtMostFor}. If an instance dies, others wait for the rest of the short lease only. A job that
         * reaches {@code lockAtMostFor} loses its lock then, or up to a third of the lease earlier. No lease is shorter
         * than {@code lockAtLeastFor}.
         *
         * @param leaseTime the lease time, such as 30 s
         * @return this builder
         * @throws IllegalArgumentException if the time is too short for a lease that is renewed, or too long
         */
        public Builder keepAlive(Duration leaseTime) {
            LockOptions unused = LockOptions.builder().leaseTime(leaseTime).build();
            this.renewed = true;
            this.leaseTime = leaseTime;
            return this;
        }

        /**
         * Sets other options of the locks: an interrupt at loss, durability, a label, and with {@code keepAlive} the
         * ratio and number of renewals. The maximum hold is used only by {@link #keepAlive()}. Lease time, wait strategy,
         * {@code retainFor} and {@code minHold} are not used: the times of each job say how long its lock is held.
         *
         * @param options default {@link LockOptions#defaults()}
         * @return this builder
         */
        public Builder options(LockOptions options) {
            // What is not used must not make the options invalid beside the times of a job.
            this.options = options.toBuilder().retainFor(null).minHold(null).build();
            return this;
        }

        /**
         * Sets the listener that is called once a run if the lock of the job is lost while the job runs.
         *
         * @param listener called on the client's event executor; an exception it throws is logged. Default: none
         * @return this builder
         */
        public Builder onLost(Consumer<LossEvent> listener) {
            this.onLost = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Creates the provider. Sends nothing.
         *
         * @return the provider
         * @throws IllegalArgumentException if jobs are kept alive and the options forbid renewal
         */
        public LeaseholdLockProvider build() {
            if (renewed && !options.renewal().enabled()) {
                throw new IllegalArgumentException(
                        "keepAlive needs renewal, but the options of the locks have Renewal.none(). Set another"
                                + " renewal, or omit keepAlive");
            }
            return new LeaseholdLockProvider(this);
        }
    }
}
