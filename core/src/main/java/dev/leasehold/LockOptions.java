package dev.leasehold;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options for leasing, renewing and awaiting a lock. Immutable. The constructor checks the values, before anything is
 * sent.
 *
 * @param leaseTime how long Redis keeps the lock without a renewal: the longest time for which a dead holder blocks
 *     other callers. At least {@link #MIN_LEASE_TIME}, at most {@link #MAX_LEASE_TIME}; default 30 s. The client's
 *     maximum (default 1 day) is checked when the options are used
 * @param renewal whether, when and how often the lease is renewed; default {@link Renewal#whileHeld()}
 * @param maxHold the longest time for which the lease is renewed, counted from its start, or null (the default) for no
 *     limit. At the limit a {@link dev.leasehold.event.HeldLongEvent} carries the holder's stack, and renewal stops
 * @param waitStrategy how an acquisition waits while another caller holds the lock; default
 *     {@link WaitStrategy#woken()}
 * @param interruptOnLoss whether the client interrupts the acquiring thread when the lease is lost, never after it was
 *     released or closed; default false. Leases acquired asynchronously have no such thread
 * @param label a short text that {@code inspect} shows beside the holder, such as a trace id, at most 63 bytes of
 *     UTF-8, or null (the default)
 * @param durability the number of replicas or disks that must have the lock before it counts as acquired; default
 *     {@link Durability#none()}
 * @param retainFor for how long the client retains the hold in Redis after a release while no other client asks for the lock,
 *     so that its next acquisition needs no request; from {@link #MIN_RETAIN_TIME} to {@link #MAX_RETAIN_TIME}, at most the
 *     lease time; null (the default) for never. Only for an exclusive lock that is not fair and has no named owner
 * @param minHold the shortest time for which Redis keeps the lock, counted from when the granted request was sent, even if it is released before;
 *     positive, at most the lease time, and not together with {@code retainFor}; null (the default) for none. Only for an
 *     exclusive lock, fair or not, that has no named owner
 */
public record LockOptions(
        Duration leaseTime,
        Renewal renewal,
        @Nullable Duration maxHold,
        WaitStrategy waitStrategy,
        boolean interruptOnLoss,
        @Nullable String label,
        Durability durability,
        @Nullable Duration retainFor,
        @Nullable Duration minHold) {

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
     * The longest time for which a hold is retained: 1 s. If the process that retains a hold stops, other clients wait that long.
     */
    public static final Duration MAX_RETAIN_TIME = Duration.ofSeconds(1);

    private static final int MAX_LABEL_BYTES = 63;
    private static final LockOptions DEFAULTS = new LockOptions(
            Duration.ofSeconds(30),
            Renewal.whileHeld(),
            null,
            WaitStrategy.woken(),
            false,
            null,
            Durability.none(),
            null,
            null);

    /**
     * Checks the values against each other.
     *
     * @throws IllegalArgumentException if the lease time is too short, also for its renewal, or another value breaks
     *     its rule
     */
    public LockOptions {
        if (Objects.requireNonNull(leaseTime, "leaseTime").compareTo(MIN_LEASE_TIME) < 0) {
            throw new IllegalArgumentException("lease time " + leaseTime + " is too short: it must be at least "
                    + MIN_LEASE_TIME + ". Choose a time well above a round trip to Redis, such as 30 s");
        }
        if (leaseTime.compareTo(MAX_LEASE_TIME) > 0) {
            throw new IllegalArgumentException("lease time " + leaseTime + " is too long: it must be at most "
                    + MAX_LEASE_TIME + ". Prefer a short lease, which is renewed while it is held");
        }
        if (renewal.enabled()) {
            renewal.checkLeaseTime(leaseTime);
        }
        if (maxHold != null && (maxHold.isZero() || maxHold.isNegative() || maxHold.compareTo(MAX_LEASE_TIME) > 0)) {
            throw new IllegalArgumentException("maximum hold " + maxHold + " must be positive and at most "
                    + MAX_LEASE_TIME + ". Leave it out for a hold without limit");
        }
        if (label != null && label.getBytes(java.nio.charset.StandardCharsets.UTF_8).length > MAX_LABEL_BYTES) {
            throw new IllegalArgumentException("label is longer than " + MAX_LABEL_BYTES
                    + " bytes of UTF-8. Shorten it: it is kept in Redis with every hold");
        }
        durability.checkLeaseTime(leaseTime);
        if (retainFor != null) {
            checkRetention(retainFor, leaseTime, renewal, maxHold, durability);
        }
        if (minHold != null) {
            checkMinimum(minHold, leaseTime, retainFor);
        }
    }

    private static void checkMinimum(Duration minHold, Duration leaseTime, @Nullable Duration retainFor) {
        if (minHold.isZero() || minHold.isNegative()) {
            throw new IllegalArgumentException(
                    "minimum hold " + minHold + " must be positive. Choose one such as 10 s, or leave out minHold");
        }
        if (minHold.compareTo(leaseTime) > 0) {
            throw new IllegalArgumentException("minimum hold " + minHold + " exceeds the lease time " + leaseTime
                    + ": a hold whose process has stopped ends with its lease, before the minimum. Lengthen the lease"
                    + " time, or shorten minHold");
        }
        if (retainFor != null) {
            throw new IllegalArgumentException("minHold keeps a released lock from everyone, and retainFor gives it to"
                    + " the next caller of this client. Leave out one of them");
        }
    }

    private static void checkRetention(
            Duration retainFor,
            Duration leaseTime,
            Renewal renewal,
            @Nullable Duration maxHold,
            Durability durability) {
        if (retainFor.compareTo(MIN_RETAIN_TIME) < 0 || retainFor.compareTo(MAX_RETAIN_TIME) > 0) {
            throw new IllegalArgumentException(
                    "the time " + retainFor + " to retain a hold must be from " + MIN_RETAIN_TIME + " to "
                            + MAX_RETAIN_TIME + ". Choose one such as 500 ms, or leave out retainFor");
        }
        if (retainFor.compareTo(leaseTime) > 0) {
            throw new IllegalArgumentException("the time " + retainFor + " to retain a hold exceeds the lease time "
                    + leaseTime
                    + ": a hold that nobody uses must not last longer than one in use. Shorten retainFor, or"
                    + " lengthen the lease time");
        }
        if (maxHold != null && retainFor.compareTo(maxHold) > 0) {
            throw new IllegalArgumentException("the time " + retainFor + " to retain a hold exceeds the maximum hold "
                    + maxHold + ". Shorten retainFor, or lengthen the maximum hold");
        }
        if (renewal.times() != Renewal.whileHeld().times()) {
            throw new IllegalArgumentException(
                    "a lease of a retained hold begins with the rest of that hold, so it must"
                            + " be renewed without limit. Use Renewal.whileHeld() or Renewal.afterRatio(...), or leave out retainFor");
        }
        if (durability.enabled()) {
            throw new IllegalArgumentException("a lease of a retained hold is acquired without a request, which no"
                    + " replica or disk could acknowledge. Use Durability.none(), or leave out retainFor");
        }
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
        return new Builder(DEFAULTS);
    }

    /**
     * Starts from these options.
     *
     * @return a new builder
     */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Collects options; {@link #build()} checks them. Not safe for use by several threads. */
    public static final class Builder {
        private Duration leaseTime;
        private Renewal renewal;
        private @Nullable Duration maxHold;
        private WaitStrategy waitStrategy;
        private boolean interruptOnLoss;
        private @Nullable String label;
        private Durability durability;
        private @Nullable Duration retainFor;
        private @Nullable Duration minHold;

        private Builder(LockOptions from) {
            leaseTime = from.leaseTime;
            renewal = from.renewal;
            maxHold = from.maxHold;
            waitStrategy = from.waitStrategy;
            interruptOnLoss = from.interruptOnLoss;
            label = from.label;
            durability = from.durability;
            retainFor = from.retainFor;
            minHold = from.minHold;
        }

        /**
         * Sets the lease time.
         *
         * @param time at least {@link LockOptions#MIN_LEASE_TIME}; default 30 s
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
            renewal = how;
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
            waitStrategy = strategy;
            return this;
        }

        /**
         * Sets whether the acquiring thread is interrupted when the lease is lost, also to a process that {@linkplain
         * Leasehold#resume resumes} it. A leader has no such thread: its {@link LeaderListener} hears of the end of its term.
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
         * Sets how many replicas or disks must have the lock before it counts as acquired. The client rejects the
         * options where they are used if the adapter has no dedicated connection for the wait, or the server has no
         * {@code WAITAOF}.
         *
         * @param how default {@link Durability#none()}
         * @return this
         */
        public Builder durability(Durability how) {
            durability = how;
            return this;
        }

        /**
         * Sets for how long the client retains the hold in Redis after a release. Until then, and while no other client asks for
         * the lock, the next acquisition of the same lock in the same client, with the same options, needs no request to Redis;
         * its lease begins with the rest of the hold, and has a fresh, higher fencing token. Another client that asks for the
         * lock gets it as after a release, a round trip later. If the process stops without a release, others wait at most that
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
            return new LockOptions(
                    leaseTime, renewal, maxHold, waitStrategy, interruptOnLoss, label, durability, retainFor, minHold);
        }
    }
}
