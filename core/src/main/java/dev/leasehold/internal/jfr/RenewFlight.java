package dev.leasehold.internal.jfr;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.Names;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** A lease was renewed. */
@Name("dev.leasehold.Renew")
@Label("Renew")
@Category("Leasehold")
@Description("A lease was renewed.")
@StackTrace(false)
final class RenewFlight extends Event {

    private static final RenewFlight PROBE = new RenewFlight();

    @Label("Lock")
    @Nullable
    String lock;

    @Label("Lag")
    @Description("From the moment the renewal was due to the answer that confirmed it")
    @Timespan(Timespan.NANOSECONDS)
    long lag;

    @Label("Left")
    @Description("How long the lease is valid now")
    @Timespan(Timespan.NANOSECONDS)
    long left;

    static void record(LockKey key, long lagNanos, long leftNanos) {
        if (PROBE.isEnabled()) {
            RenewFlight event = new RenewFlight();
            event.lock = Names.escape(key.name());
            event.lag = lagNanos;
            event.left = leftNanos;
            event.commit();
        }
    }
}
