package dev.leasehold;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The rules of options that need no client: of each value, and of values with each other. */
final class OptionRules {

    private static final int MAX_LABEL_BYTES = 63;

    private OptionRules() {}

    /**
     * Checks options.
     *
     * @throws IllegalArgumentException if the lease time is too short, also for its renewal, or another value breaks its rule
     */
    static void check(LockOptions options) {
        checkLeaseTime(options.leaseTime());
        if (options.renewal().enabled()) {
            options.renewal().checkLeaseTime(options.leaseTime());
        }
        options.durability().checkLeaseTime(options.leaseTime());
        Duration maxHold = options.maxHold();
        if (maxHold != null
                && (maxHold.isZero() || maxHold.isNegative() || maxHold.compareTo(LockOptions.MAX_LEASE_TIME) > 0)) {
            throw new IllegalArgumentException("maximum hold " + maxHold + " must be positive and at most "
                    + LockOptions.MAX_LEASE_TIME + ". Leave it out for a hold without limit");
        }
        String label = options.label();
        if (label != null && label.getBytes(StandardCharsets.UTF_8).length > MAX_LABEL_BYTES) {
            throw new IllegalArgumentException("label is longer than " + MAX_LABEL_BYTES
                    + " bytes of UTF-8. Shorten it: it is kept in Redis with every hold");
        }
        Duration retainFor = options.retainFor();
        if (retainFor != null) {
            checkRetention(retainFor, options.leaseTime(), options.renewal(), maxHold, options.durability());
        }
        Duration minHold = options.minHold();
        if (minHold != null) {
            checkMinimum(minHold, options.leaseTime(), retainFor);
        }
    }

    private static void checkLeaseTime(Duration leaseTime) {
        if (leaseTime.compareTo(LockOptions.MIN_LEASE_TIME) < 0) {
            throw new IllegalArgumentException("lease time " + leaseTime + " is too short: it must be at least "
                    + LockOptions.MIN_LEASE_TIME + ". Choose a time well above a round trip to Redis, such as 30 s");
        }
        if (leaseTime.compareTo(LockOptions.MAX_LEASE_TIME) > 0) {
            throw new IllegalArgumentException("lease time " + leaseTime + " is too long: it must be at most "
                    + LockOptions.MAX_LEASE_TIME + ". Prefer a short lease, which is renewed while it is held");
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
        if (retainFor.compareTo(LockOptions.MIN_RETAIN_TIME) < 0
                || retainFor.compareTo(LockOptions.MAX_RETAIN_TIME) > 0) {
            throw new IllegalArgumentException(
                    "the time " + retainFor + " to retain a hold must be from " + LockOptions.MIN_RETAIN_TIME + " to "
                            + LockOptions.MAX_RETAIN_TIME + ". Choose one such as 500 ms, or leave out retainFor");
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
        if (!renewal.unlimited()) {
            throw new IllegalArgumentException(
                    "a lease of a retained hold begins with the rest of that hold, so it must"
                            + " be renewed without limit. Use Renewal.whileHeld() or Renewal.afterRatio(...), or leave out retainFor");
        }
        if (durability.enabled()) {
            throw new IllegalArgumentException("a lease of a retained hold is acquired without a request, which no"
                    + " replica or disk could acknowledge. Use Durability.none(), or leave out retainFor");
        }
    }
}
