package dev.leasehold.internal.time;

import java.time.Duration;
import java.util.Objects;

/**
 * The time that an acquisition may take.
 *
 * @param kind the kind
 * @param nanos the time; of one try at most the command timeout, and no less if it is zero
 */
public record WaitLimit(Kind kind, long nanos) {

    /** The kinds of limits. */
    public enum Kind {
        /** One try, and at most the command timeout. */
        ONCE,
        /** Until the time is up. */
        TIMED,
        /** As long as it takes. */
        UNLIMITED
    }

    /** One try. */
    public static final WaitLimit ONCE = new WaitLimit(Kind.ONCE, 0);

    /** No limit. */
    public static final WaitLimit UNLIMITED = new WaitLimit(Kind.UNLIMITED, 0);

    /** The same kind, for the time that is left. */
    public WaitLimit within(long left) {
        return new WaitLimit(kind, left);
    }

    /**
     * A time.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public static WaitLimit of(Duration wait) {
        if (Objects.requireNonNull(wait, "wait").isNegative()) {
            throw new IllegalArgumentException("wait " + wait + " must not be negative. Use zero to try once");
        }
        return wait.isZero() ? ONCE : new WaitLimit(Kind.TIMED, saturated(wait));
    }

    /** Half of the range of a long is 146 years, and leaves room to add the present. */
    private static long saturated(Duration wait) {
        return wait.toSeconds() >= Long.MAX_VALUE / 2_000_000_000L ? Long.MAX_VALUE / 2 : wait.toNanos();
    }
}
