package dev.leasehold.internal.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** An acquisition that found the lock held, from then until its end. */
@Name("dev.leasehold.Wait")
@Label("Wait")
@Description("An acquisition that found the lock held, from then until its end.")
final class WaitFlight extends SpanFlight {

    /** Checks whether such events are recorded, without creating one each time. */
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
