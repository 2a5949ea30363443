package dev.leasehold.tck;

import java.time.Duration;

/** The contract of the ends of hand-offs on locks whose holds are retained between two uses. */
class RetainingHandOffEndContract extends HandOffEndContract {

    @Override
    final Duration retainFor() {
        return RETAINED;
    }
}
