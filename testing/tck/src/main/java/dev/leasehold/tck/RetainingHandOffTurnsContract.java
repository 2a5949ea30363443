package dev.leasehold.tck;

import java.time.Duration;

/** The contract of hand-off in competition on locks whose holds are retained between two uses. */
class RetainingHandOffTurnsContract extends HandOffTurnsContract {

    @Override
    final Duration retainFor() {
        return RETAINED;
    }
}
