package dev.leasehold.annotation;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.spi.RedisErrorException;

/** The failure of a client to start, for the integrations of frameworks. */
public final class FailedStart {

    private FailedStart() {}

    /** Returns whether a client did not start because Redis cannot be reached; one that Redis refuses would be refused later, too. */
    public static boolean unreachable(LockUnavailableException failure) {
        return failure.lockName().isEmpty()
                && failure.getCause() != null
                && !(failure.getCause() instanceof RedisErrorException);
    }

    /** Returns the failure, with the property by which the application may start before Redis, if that would help. */
    public static LockUnavailableException advised(LockUnavailableException failure, String property) {
        return unreachable(failure)
                ? new LockUnavailableException(
                        "",
                        false,
                        failure.getMessage() + ". If the application is to start before Redis, set " + property
                                + "=true",
                        failure)
                : failure;
    }
}
