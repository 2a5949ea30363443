package dev.leasehold.internal.engine;

import dev.leasehold.spi.TransportException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of one request: either a reply or a failure. */
record Exchange(@Nullable List<String> reply, @Nullable RuntimeException failure) {

    /** The failure of an exchange that has no reply. */
    RuntimeException problem() {
        return failure != null ? failure : new TransportException("no reply", true, null);
    }
}
