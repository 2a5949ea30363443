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

/** An acquisition that brought no lease, also one that was over at once: it has no threshold, unlike the stretches of time. */
@Name("dev.leasehold.NotAcquired")
@Label("Not Acquired")
@Category("Leasehold")
@Description("An acquisition that brought no lease, however short it was.")
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
    @Description("The kind of exception that the caller was told of; none if the lock was busy")
    @Nullable
    String failure;

    @Label("Waited")
    @Description("From the call to its end")
    @Timespan(Timespan.NANOSECONDS)
    long waited;

    @Label("Tries")
    int tries;

    static void tell(
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
