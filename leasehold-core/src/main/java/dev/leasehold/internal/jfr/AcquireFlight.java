package dev.leasehold.internal.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** An acquisition, from the call to the grant or the giving up. */
@Name("dev.leasehold.Acquire")
@Label("Acquire")
@Description("An acquisition, from the call to the grant or the giving up.")
final class AcquireFlight extends SpanFlight {

    /** Knows whether such events are recorded, so that none has to be made to ask. */
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
