package dev.leasehold.tck;

import java.time.Duration;

/** The contract of hand-off within a client on locks whose holds are retained between two uses. */
public abstract class RetainingHandOffContract extends HandOffContract {

    /** For subclasses. */
    protected RetainingHandOffContract() {}

    @Override
    final Duration retainFor() {
        return RETAINED;
    }
}
