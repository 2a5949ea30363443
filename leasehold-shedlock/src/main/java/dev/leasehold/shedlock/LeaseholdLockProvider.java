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
 * <p>A job that finds its lock taken is skipped, as ever: nobody waits. {@code lockAtMostFor} is the time of the lease and
 * {@code lockAtLeastFor} how long the lock stays in any case, both counted from the grant by Redis' time and by the monotonic clock:
 * the clocks of the instances need not agree. The lock of a job that outlasts {@code lockAtMostFor} is lost, unless it is
 * {@linkplain Builder#keepAlive() kept alive}. The end of such a job deletes nobody else's lock.
 *
 * <p>A loss is told while the job runs: to {@link Builder#onLost}, by an interrupt
 * ({@link LockOptions.Builder#interruptOnLoss}), and to the job when it asks its {@link JobLease}, whose fencing token lets the
 * guarded resource refuse a late write. {@code unlock} does not throw for it: a {@code ScheduledExecutorService} never again runs
 * a job whose run threw.
 *
 * <p>When Redis does not answer, {@code lock} and {@code extend} throw {@link LockException} after the client's command time-out, and
 * {@code unlock} leaves the release to be repeated in the background. If it does not answer an unlock before {@code lockAtLeastFor},
 * the lock stays for the rest of {@code lockAtMostFor}, or may be free at once if the request arrived without an answer. Closing the
 * client releases the locks of jobs that still run; those that stay for {@code lockAtLeastFor} stay. Safe for use by any thread.
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
     * A provider with every option at its default: as ShedLock describes them, without renewal.
     *
     * @param leasehold whose locks they are; it stays the application's to close
     * @return the provider
     */
    public static LeaseholdLockProvider of(Leasehold leasehold) {
        return builder(leasehold).build();
    }

    /**
     * Starts a provider with options of its own.
     *
     * @param leasehold whose locks they are; it stays the application's to close
     * @return a new builder with every option at its default
     */
    public static Builder builder(Leasehold leasehold) {
        return new Builder(leasehold);
    }

    /**
     * Tries once to take the lock of a job.
     *
     * @param configuration {@code lockAtMostFor} must be at least {@link LockOptions#MIN_LEASE_TIME} and at most the client's maximum
     *     lease time, by default a day
     * @return the lock, or empty if another run of the job holds it or it is kept for {@code lockAtLeastFor}
     * @throws LockException if Redis did not answer or refused; the cause is a {@link LeaseholdException}
     * @throws IllegalArgumentException if {@code lockAtMostFor} or the name breaks its rule
     * @throws UnsupportedOperationException if there is a {@code lockAtLeastFor} and the client is of a
     *     {@linkplain Leasehold#quorum quorum}
     * @throws IllegalStateException if the client is closed
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        DistributedLock lock = lockOf(configuration);
        if (!configuration.getLockAtLeastFor().isZero()) {
            checkThatItCanStay(lock);
        }
        Optional<Lease> taken;
        try {
            taken = lock.with(optionsOf(lock, configuration)).tryAcquire();
        } catch (LeaseholdException e) {
            throw new LockException(lock + " could not be asked for", e);
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

    /** Only a lock that can have named owners can be left in Redis when its lease is closed; asking for one sends nothing. */
    private static void checkThatItCanStay(DistributedLock lock) {
        try {
            OwnedLock unused = lock.ownedBy(DONE);
        } catch (UnsupportedOperationException e) {
            throw new UnsupportedOperationException(
                    "lockAtLeastFor cannot be kept by " + lock
                            + ", which ends with its lease. Leave lockAtLeastFor out, or use"
                            + " a client of one Redis",
                    e);
        }
    }

    private LockOptions optionsOf(DistributedLock lock, LockConfiguration configuration) {
        Duration atMost = configuration.getLockAtMostFor();
        if (atMost.compareTo(LockOptions.MIN_LEASE_TIME) < 0) {
            throw new IllegalArgumentException(
                    "lockAtMostFor " + atMost + " of " + lock + " is too short: it must be at least "
                            + LockOptions.MIN_LEASE_TIME + ". Choose a time well above that of a run of the job");
        }
        LockOptions.Builder builder = options.toBuilder().leaseTime(atMost);
        if (!renewed) {
            return builder.renewal(Renewal.none()).maxHold(null).build();
        }
        Duration shortLease = leaseTime;
        if (shortLease == null) {
            return builder.build();
        }
        // Also an instance that dies keeps the lock for lockAtLeastFor.
        Duration atLeast = configuration.getLockAtLeastFor();
        Duration lease = shortLease.compareTo(atLeast) > 0 ? shortLease : atLeast;
        Duration renewedFor = atMost.minus(lease);
        return renewedFor.isZero() || renewedFor.isNegative()
                ? builder.renewal(Renewal.none()).maxHold(null).build()
                : builder.leaseTime(lease).maxHold(renewedFor).build();
    }

    /** What keeps a lock for so long after its job, beyond which nobody needs it: no renewal, no replica waited for. */
    Lease resume(String exported, Duration rest) {
        return leasehold.resume(
                exported,
                options.toBuilder()
                        .leaseTime(rest.compareTo(LockOptions.MIN_LEASE_TIME) < 0 ? LockOptions.MIN_LEASE_TIME : rest)
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

    /** Collects the options of a {@link LeaseholdLockProvider}. Not safe for use by several threads. */
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
         * What stands before the name of each job in the name of its lock.
         *
         * @param prefix may be empty; default {@code "job:"}, so that job {@code report} has the lock {@code job:report}
         * @return this builder
         */
        public Builder namePrefix(String prefix) {
            namePrefix = Objects.requireNonNull(prefix, "prefix");
            return this;
        }

        /**
         * Keeps the lock of a job for as long as it runs: {@code lockAtMostFor} is renewed after each third of it, and is how long
         * an instance that died keeps others from the job.
         *
         * @return this builder
         */
        public Builder keepAlive() {
            renewed = true;
            leaseTime = null;
            return this;
        }

        /**
         * Keeps the lock of a job by a short lease, which is renewed while the job runs, but not beyond {@code lockAtMostFor}: an
         * instance that died keeps others from the job for the lease only. A job that reaches {@code lockAtMostFor} loses its lock
         * then, or up to a third of the lease earlier. No lease is shorter than {@code lockAtLeastFor}.
         *
         * @param leaseTime how long, such as 30 s
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
         * Other options of the locks: an interrupt at loss, durability, a label, and with {@code keepAlive} the ratio and number
         * of renewals. The lease time and the wait strategy are not used, the maximum hold only by {@link #keepAlive()}.
         *
         * @param options default {@link LockOptions#defaults()}
         * @return this builder
         */
        public Builder options(LockOptions options) {
            this.options = Objects.requireNonNull(options, "options");
            return this;
        }

        /**
         * What to call when the lock of a job is lost while it runs, once a run.
         *
         * @param listener called on the client's event executor; an exception it throws is logged. Default: nobody
         * @return this builder
         */
        public Builder onLost(Consumer<LossEvent> listener) {
            this.onLost = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Makes the provider. Nothing is sent.
         *
         * @return the provider
         * @throws IllegalArgumentException if jobs are kept alive and the options forbid renewal
         */
        public LeaseholdLockProvider build() {
            if (renewed && !options.renewal().enabled()) {
                throw new IllegalArgumentException(
                        "the options of the locks say Renewal.none(), but jobs are to be kept alive by"
                                + " renewal. Give another renewal, or leave keepAlive out");
            }
            return new LeaseholdLockProvider(this);
        }
    }
}
