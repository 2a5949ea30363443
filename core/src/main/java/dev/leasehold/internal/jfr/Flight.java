package dev.leasehold.internal.jfr;

import dev.leasehold.event.LossCause;
import dev.leasehold.event.WaitOutcome;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * The events for the JDK's Flight Recorder. While an event is not recorded, it costs one read of a static field: no
 * object is created and no clock is read. No method blocks, so any code may call them; the calling thread is the
 * event's thread.
 */
public final class Flight {

    /** Some JDKs and custom images have no Flight Recorder: then no class that needs it is loaded. */
    private static final boolean PRESENT =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private Flight() {}

    /** Starts the event of an acquisition; returns null while it is not recorded. */
    public static @Nullable Span acquisition() {
        return PRESENT ? AcquireFlight.start() : null;
    }

    /** Starts the event of a waiting acquisition; returns null while it is not recorded. */
    public static @Nullable Span waiting() {
        return PRESENT ? WaitFlight.start() : null;
    }

    /**
     * Records an acquisition that began at {@code startedAt} and ended without a lease. A cancelled acquisition is not
     * recorded.
     */
    public static void notAcquired(
            LockKey key,
            WaitOutcome outcome,
            TimeSource time,
            long startedAt,
            int tries,
            @Nullable RuntimeException failure) {
        if (PRESENT && outcome != WaitOutcome.ABANDONED) {
            NotAcquiredFlight.record(key, outcome, time, startedAt, tries, failure);
        }
    }

    /** Starts the event of a held lease; returns null while it is not recorded. */
    public static @Nullable Span holding() {
        return PRESENT ? HoldFlight.start() : null;
    }

    /** Records a renewal: its delay, and how long the lease is valid now. */
    public static void renewed(LockKey key, long lagNanos, long leftNanos) {
        if (PRESENT) {
            RenewFlight.record(key, lagNanos, leftNanos);
        }
    }

    /** Records a lost lease. */
    public static void lost(LockKey key, long token, LossCause cause, long heldNanos) {
        if (PRESENT) {
            LossFlight.record(key, token, cause, heldNanos);
        }
    }
}
