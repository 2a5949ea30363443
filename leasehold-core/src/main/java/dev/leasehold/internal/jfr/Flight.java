package dev.leasehold.internal.jfr;

import dev.leasehold.event.LossCause;
import dev.leasehold.event.WaitOutcome;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * The events of the JDK's flight recorder. While nobody records one, it costs the reading of a static field: nothing is
 * made, no clock is read. None of it waits, so it may be called from anywhere; the calling thread is that of the event.
 */
public final class Flight {

    /** Some JDKs, and images without it, have no flight recorder: then no class that needs it is loaded. */
    private static final boolean PRESENT =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private Flight() {}

    /** An acquisition begins; null while nobody records them. */
    public static @Nullable Span acquisition() {
        return PRESENT ? AcquireFlight.start() : null;
    }

    /** An acquisition waits; null while nobody records that. */
    public static @Nullable Span waiting() {
        return PRESENT ? WaitFlight.start() : null;
    }

    /** An acquisition came to its end without a lease, since this moment. Not told of one whose caller left. */
    public static void notAcquired(
            LockKey key,
            WaitOutcome outcome,
            TimeSource time,
            long startedAt,
            int tries,
            @Nullable RuntimeException failure) {
        if (PRESENT && outcome != WaitOutcome.ABANDONED) {
            NotAcquiredFlight.tell(key, outcome, time, startedAt, tries, failure);
        }
    }

    /** A lease is held; null while nobody records that. */
    public static @Nullable Span holding() {
        return PRESENT ? HoldFlight.start() : null;
    }

    /** A lease was renewed: how late, and for how long it is valid now. */
    public static void renewed(LockKey key, long lagNanos, long leftNanos) {
        if (PRESENT) {
            RenewFlight.tell(key, lagNanos, leftNanos);
        }
    }

    /** A lease was lost. */
    public static void lost(LockKey key, long token, LossCause cause, long heldNanos) {
        if (PRESENT) {
            LossFlight.tell(key, token, cause, heldNanos);
        }
    }
}
