package dev.leasehold.internal.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** An acquisition that found the lock held, from then until it was over. */
@Name("dev.leasehold.Wait")
@Label("Wait")
@Description("An acquisition that found the lock held, from then until it was over.")
final class WaitFlight extends SpanFlight {

    /** Knows whether such events are recorded, so that none has to be made to ask. */
    private static final WaitFlight PROBE = new WaitFlight();

    @Label("Tries")
    int tries;

    static @Nullable Span start() {
        return PROBE.isEnabled() ? new WaitFlight().begun() : null;
    }

    @Override
    void count(int many) {
        tries = many;
    }
}
