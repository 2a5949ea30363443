package dev.leasehold.internal.request;

import dev.leasehold.spi.TransportException;
import org.jspecify.annotations.Nullable;

/** The outcome of one request: either an answer or a failure. */
public record Exchange<A>(@Nullable A answer, @Nullable RuntimeException failure) {

    /** Returns the failure of an exchange without an answer. */
    public RuntimeException problem() {
        return failure != null ? failure : new TransportException("no reply", true, null);
    }
}
