package dev.leasehold.tck;

import java.time.Duration;

/** The contract of hand-off within a client on locks whose holds are retained between two uses. */
class RetainingHandOffContract extends HandOffContract {

    @Override
    final Duration retainFor() {
        return RETAINED;
    }
}
