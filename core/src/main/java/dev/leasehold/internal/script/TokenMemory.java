package dev.leasehold.internal.script;

import dev.leasehold.internal.store.LeaseSpan;
import java.time.Duration;

/** How long a key outlives its last use. */
public record TokenMemory(Duration time) {

    private static final long NANOS_PER_MILLI = 1_000_000;

    String arg() {
        return Long.toString(time.toMillis());
    }

    /** Returns how long a key lasts from the grant of a lease: in whole ms, of which the present one is partly over. */
    String expiryOf(LeaseSpan lease) {
        return Long.toString(lease.nanos() / NANOS_PER_MILLI + 2 + time.toMillis());
    }

    /** Returns whether an earlier expiry of the key is worth a write when a hold of this length is released. */
    boolean isShortFor(LeaseSpan hold) {
        return hold.nanos() > time.toNanos() / 2;
    }
}
