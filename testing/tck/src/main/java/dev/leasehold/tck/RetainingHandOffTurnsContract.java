package dev.leasehold.tck;

import java.time.Duration;

/** The contract of hand-off in competition on locks whose holds are retained between two uses. */
public abstract class RetainingHandOffTurnsContract extends HandOffTurnsContract {

    /** For subclasses. */
    protected RetainingHandOffTurnsContract() {}

    @Override
    final Duration retainFor() {
        return RETAINED;
    }
}
