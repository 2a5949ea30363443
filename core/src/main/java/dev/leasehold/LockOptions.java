package dev.leasehold;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options for leasing, renewing and awaiting a lock. Immutable; two with the same values are equal. {@link Builder#build} checks the
 * values, before anything is sent.
 */
public final class LockOptions {

    /**
     * The shortest lease time: 50 ms. In a shorter one, a round trip and a timer tick would leave no time to rely on.
     */
    public static final Duration MIN_LEASE_TIME = Duration.ofMillis(50);

    /** The longest lease time and maximum hold that any client accepts: 365 days. */
    public static final Duration MAX_LEASE_TIME = Duration.ofDays(365);

    /** The time that must remain of a lease when its renewal is due, so that the renewal can be tried again: 50 ms. */
    public static final Duration MIN_TIME_FOR_RENEWAL = Duration.ofMillis(50);

    /**
     * The shortest time for which a hold is retained: 100 ms. A shorter one would end before the client's timer, which ticks every
     * 10 ms, and a round trip to Redis could extend it.
     */
    public static final Duration MIN_RETAIN_TIME = Duration.ofMillis(100);

    /**
     * The longest time for which a hold is retained: 1 s. If the process that retains a hold stops, other clients wait that long; and its
     * tokens may be as far ahead of the clock of Redis, which after a failover that lost them must have passed them.
     */
    public static final Duration MAX_RETAIN_TIME = Duration.ofSeconds(1);

    private static final LockOptions DEFAULTS = new LockOptions(new Builder());

    private final Duration leaseTime;
    private final Renewal renewal;
    private final @Nullable Duration maxHold;
    private final WaitStrategy waitStrategy;
    private final boolean interruptOnLoss;
    private final @Nullable String label;
    private final Durability durability;
    private final @Nullable Duration retainFor;
    private final @Nullable Duration minHold;

    private LockOptions(Builder from) {
        leaseTime = from.leaseTime;
        renewal = from.renewal;
        maxHold = from.maxHold;
        waitStrategy = from.waitStrategy;
        interruptOnLoss = from.interruptOnLoss;
        label = from.label;
        durability = from.durability;
        retainFor = from.retainFor;
        minHold = from.minHold;
        OptionRules.check(this);
    }

    /**
     * The default options, as in {@code docs/reference/defaults.md}.
     *
     * @return the one shared instance
     */
    public static LockOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Starts from the defaults.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Starts from these options.
     *
     * @return a new builder
     */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.leaseTime = leaseTime;
        builder.renewal = renewal;
        builder.maxHold = maxHold;
        builder.waitStrategy = waitStrategy;
        builder.interruptOnLoss = interruptOnLoss;
        builder.label = label;
        builder.durability = durability;
        builder.retainFor = retainFor;
        builder.minHold = minHold;
        return builder;
    }

    /**
     * Returns how long Redis keeps the lock without a renewal: the longest time for which a dead holder blocks other callers.
     *
     * @return the lease time
     */
    public Duration leaseTime() {
        return leaseTime;
    }

    /**
     * Returns whether, when and how often the lease is renewed.
     *
     * @return the renewal
     */
    public Renewal renewal() {
        return renewal;
    }

    /**
     * Returns the longest time for which the lease is renewed, counted from its start.
     *
     * @return the time, or null for no limit
     */
    @Nullable
    public Duration maxHold() {
        return maxHold;
    }

    /**
     * Returns how an acquisition waits while another caller holds the lock.
     *
     * @return the strategy
     */
    public WaitStrategy waitStrategy() {
        return waitStrategy;
    }

    /**
     * Returns whether the client interrupts the acquiring thread when the lease is lost.
     *
     * @return true if it does
     */
    public boolean interruptOnLoss() {
        return interruptOnLoss;
    }

    /**
     * Returns the text that an inspection shows beside the holder.
     *
     * @return the label, or null for none
     */
    @Nullable
    public String label() {
        return label;
    }

    /**
     * Returns the number of replicas or disks that must have the lock before it counts as acquired.
     *
     * @return the number, none by default
     */
    public Durability durability() {
        return durability;
    }

    /**
     * Returns for how long the client retains the hold in Redis after a release.
     *
     * @return the time, or null for never
     */
    @Nullable
    public Duration retainFor() {
        return retainFor;
    }

    /**
     * Returns the shortest time for which Redis keeps the lock, even if it is released before.
     *
     * @return the time, or null for none
     */
    @Nullable
    public Duration minHold() {
        return minHold;
    }

    private List<@Nullable Object> values() {
        return Arrays.asList(
                leaseTime, renewal, maxHold, waitStrategy, interruptOnLoss, label, durability, retainFor, minHold);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockOptions options && values().equals(options.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    /** Names every option, for logs. */
    @Override
    public String toString() {
        return "LockOptions[leaseTime=" + leaseTime + ", renewal=" + renewal + ", maxHold=" + maxHold
                + ", waitStrategy="
                + waitStrategy + ", interruptOnLoss=" + interruptOnLoss + ", label=" + label + ", durability="
                + durability
                + ", retainFor=" + retainFor + ", minHold=" + minHold + "]";
    }

    /** Collects options; {@link #build()} checks them. Not safe for use by several threads. */
    public static final class Builder {
        private Duration leaseTime = Duration.ofSeconds(30);
        private Renewal renewal = Renewal.whileHeld();
        private @Nullable Duration maxHold;
        private WaitStrategy waitStrategy = WaitStrategy.woken();
        private boolean interruptOnLoss;
        private @Nullable String label;
        private Durability durability = Durability.none();
        private @Nullable Duration retainFor;
        private @Nullable Duration minHold;

        private Builder() {}

        /**
         * Sets the lease time. With a renewal, {@link LockOptions#MIN_TIME_FOR_RENEWAL} must be left when it is due: by default, after
         * a third of the lease time.
         *
         * @param time at least {@link LockOptions#MIN_LEASE_TIME} and at most {@link LockOptions#MAX_LEASE_TIME}; default 30 s. The
         *     client's maximum, by default 1 day, is checked when the options are used
         * @return this
         */
        public Builder leaseTime(Duration time) {
            leaseTime = Objects.requireNonNull(time, "time");
            return this;
        }

        /**
         * Sets whether, when and how often the lease is renewed.
         *
         * @param how default {@link Renewal#whileHeld()}
         * @return this
         */
        public Builder renewal(Renewal how) {
            renewal = Objects.requireNonNull(how, "how");
            return this;
        }

        /**
         * Sets the longest time for which the lease is renewed. Its holder may still {@linkplain Lease#extend extend} it. A lease
         * that becomes a reader by {@link DistributedReadWriteLock#downgrade} has what is left of this time.
         *
         * @param limit positive, counted from the start of the lease; null for no limit, the default
         * @return this
         */
        public Builder maxHold(@Nullable Duration limit) {
            maxHold = limit;
            return this;
        }

        /**
         * Sets how an acquisition waits while another caller holds the lock.
         *
         * @param strategy default {@link WaitStrategy#woken()}
         * @return this
         */
        public Builder waitStrategy(WaitStrategy strategy) {
            waitStrategy = Objects.requireNonNull(strategy, "strategy");
            return this;
        }

        /**
         * Sets whether the acquiring thread is interrupted when the lease is lost, also to a process that {@linkplain
         * Leasehold#resume resumes} it. A leader has no such thread: its {@link dev.leasehold.recipes.LeaderListener} hears of the end of its term.
         *
         * @param interrupt default false
         * @return this
         */
        public Builder interruptOnLoss(boolean interrupt) {
            interruptOnLoss = interrupt;
            return this;
        }

        /**
         * Sets the text that {@code inspect} shows beside the holder.
         *
         * @param text at most 63 bytes of UTF-8; null for none, the default
         * @return this
         */
        public Builder label(@Nullable String text) {
            label = text;
            return this;
        }

        /**
         * Requires the acknowledgement of replicas; short for {@link #durability} with {@link Durability#replicas}.
         *
         * @param number the number of replicas, at least 1
         * @param within how long to wait for them, at least 1 ms and at most a third of the lease time
         * @return this
         * @throws IllegalArgumentException if one of them breaks its rule
         */
        public Builder replicas(int number, Duration within) {
            return durability(Durability.replicas(number, within));
        }

        /**
         * Requires the lock on disk: in the synced append-only files of the primary and of the given number of
         * replicas. Short for {@link #durability} with {@link Durability#onDisk}. Needs {@code WAITAOF}, so Redis or
         * Valkey 7.2 or later, and {@code appendonly yes}.
         *
         * @param replicas the number of replicas in addition to the primary; 0 for the primary alone
         * @param within how long to wait for them, at least 1 ms and at most a third of the lease time; with
         *     {@code appendfsync everysec} more than a second
         * @return this
         * @throws IllegalArgumentException if one of them breaks its rule
         */
        public Builder onDisk(int replicas, Duration within) {
            return durability(Durability.onDisk(replicas, within));
        }

        /**
         * Sets how many replicas or disks must have the lock before it counts as acquired. The acquisition throws {@link
         * IllegalArgumentException} if the adapter has no dedicated connection for the wait, or the server has no {@code WAITAOF}.
         *
         * @param how default {@link Durability#none()}
         * @return this
         */
        public Builder durability(Durability how) {
            durability = Objects.requireNonNull(how, "how");
            return this;
        }

        /**
         * Sets for how long the client retains the hold in Redis after a release. Until then, and while no other client asks for
         * the lock, the next acquisition of the same lock in the same client, with the same options, needs no request to Redis;
         * its lease begins with the rest of the hold, and has a fresh, higher fencing token. Another client that waits for the
         * lock gets it as after a release, a round trip later; one that tries once finds it busy. Not together with {@code minHold},
         * {@code durability}, or a renewal that is limited or none. If the process stops without a release, others wait at most that
         * long.
         *
         * @param time from {@link LockOptions#MIN_RETAIN_TIME} to {@link LockOptions#MAX_RETAIN_TIME}, at most the lease time;
         *     null for never, the default
         * @return this
         */
        public Builder retainFor(@Nullable Duration time) {
            retainFor = time;
            return this;
        }

        /**
         * Sets the shortest time for which Redis keeps the lock, for example so that a short job runs once although the clocks
         * of its instances differ. A release before that ends the lease for its holder, and the hold stays in Redis without
         * renewal until the time has passed since the client sent the request that was granted. If the process stops before
         * a release, if Redis does not answer it, or if the client is closed, the hold stays until its lease ends. Of a thread
         * that locks several times, the options of its first {@code lock()} count.
         *
         * <p>Waiters of this client get the lock when the time is over; those of other clients at their next poll after it, by
         * default within 5 s. {@link DistributedLock#forceRelease()} frees the lock before. A lease that becomes a reader by
         * {@link DistributedReadWriteLock#downgrade} keeps writers out for the rest of the time, not readers.
         *
         * @param time positive, and at most the lease time; null for none, the default
         * @return this
         */
        public Builder minHold(@Nullable Duration time) {
            minHold = time;
            return this;
        }

        /**
         * Builds the options.
         *
         * @return the checked options
         * @throws IllegalArgumentException if a value breaks its rule
         */
        public LockOptions build() {
            return new LockOptions(this);
        }
    }
}
