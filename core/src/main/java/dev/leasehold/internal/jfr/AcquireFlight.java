package dev.leasehold.internal.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** An acquisition, from the call to the grant or the failure. */
@Name("dev.leasehold.Acquire")
@Label("Acquire")
@Description("An acquisition, from the call to the grant or the failure.")
final class AcquireFlight extends SpanFlight {

    /** Checks whether such events are recorded, without creating one each time. */
    private static final AcquireFlight PROBE = new AcquireFlight();

    @Label("Tries")
    int tries;

    static @Nullable Span start() {
        return PROBE.isEnabled() ? new AcquireFlight().begun() : null;
    }

    @Override
    void count(int many) {
        tries = many;
    }
}
