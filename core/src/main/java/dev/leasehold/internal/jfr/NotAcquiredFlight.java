package dev.leasehold.internal.jfr;

import dev.leasehold.event.WaitOutcome;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.Names;
import dev.leasehold.spi.TimeSource;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * An acquisition that ended without a lease. Unlike the timed events it has no threshold, so immediate failures are
 * recorded.
 */
@Name("dev.leasehold.NotAcquired")
@Label("Not Acquired")
@Category("Leasehold")
@Description("An acquisition that ended without a lease, however short it was.")
@StackTrace(false)
final class NotAcquiredFlight extends Event {

    private static final NotAcquiredFlight PROBE = new NotAcquiredFlight();

    @Label("Lock")
    @Nullable
    String lock;

    @Label("Outcome")
    @Nullable
    String outcome;

    @Label("Failure")
    @Description("The class of the exception that the caller received; none if the lock was busy")
    @Nullable
    String failure;

    @Label("Waited")
    @Description("From the call to its end")
    @Timespan(Timespan.NANOSECONDS)
    long waited;

    @Label("Tries")
    int tries;

    static void record(
            LockKey key,
            WaitOutcome outcome,
            TimeSource time,
            long startedAt,
            int tries,
            @Nullable RuntimeException failure) {
        if (PROBE.isEnabled()) {
            NotAcquiredFlight event = new NotAcquiredFlight();
            event.lock = Names.escape(key.name());
            event.outcome = outcome.name();
            event.failure = failure == null ? null : failure.getClass().getName();
            event.waited = time.nanoTime() - startedAt;
            event.tries = tries;
            event.commit();
        }
    }
}
