package dev.leasehold.internal.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** A lease, from its grant to its end. */
@Name("dev.leasehold.Hold")
@Label("Hold")
@Description("A lease, from its grant to its end.")
final class HoldFlight extends SpanFlight {

    /** Checks whether such events are recorded, without creating one each time. */
    private static final HoldFlight PROBE = new HoldFlight();

    @Label("Renewals")
    int renewals;

    static @Nullable Span start() {
        return PROBE.isEnabled() ? new HoldFlight().begun() : null;
    }

    @Override
    void count(int many) {
        renewals = many;
    }
}
