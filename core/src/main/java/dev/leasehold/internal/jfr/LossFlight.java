package dev.leasehold.internal.jfr;

import dev.leasehold.event.LossCause;
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

/** A lease was lost. */
@Name("dev.leasehold.Loss")
@Label("Loss")
@Category("Leasehold")
@Description("A lease was lost.")
@StackTrace(false)
final class LossFlight extends Event {

    private static final LossFlight PROBE = new LossFlight();

    @Label("Lock")
    @Nullable
    String lock;

    @Label("Cause")
    @Nullable
    String cause;

    @Label("Fencing Token")
    long fencingToken;

    @Label("Held")
    @Description("How long it was held")
    @Timespan(Timespan.NANOSECONDS)
    long held;

    static void record(LockKey key, long token, LossCause cause, long heldNanos) {
        if (PROBE.isEnabled()) {
            LossFlight event = new LossFlight();
            event.lock = Names.escape(key.name());
            event.cause = cause.name();
            event.fencingToken = token;
            event.held = heldNanos;
            event.commit();
        }
    }
}
