package dev.leasehold.internal.request;

import dev.leasehold.LockOptions;
import java.time.Duration;

/** The timeouts and maximum times of a client. */
public record Limits(
        Duration commandTimeout, Duration outageTolerance, Duration maxLeaseTime, Duration rememberTokens) {

    long commandNanos() {
        return commandTimeout.toNanos();
    }

    /**
     * Refuses a lease that is longer than the client's maximum.
     *
     * @throws IllegalArgumentException if it is
     */
    public void checkLease(LockOptions options) {
        if (options.leaseTime().compareTo(maxLeaseTime) > 0) {
            throw new IllegalArgumentException("lease time " + options.leaseTime() + " exceeds the client's maximum of "
                    + maxLeaseTime
                    + ". A long lease blocks all other clients when its holder dies: prefer a short one with "
                    + "renewal, or raise maxLeaseTime(...)");
        }
    }
}
