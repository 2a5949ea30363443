package dev.leasehold.internal.request;

import dev.leasehold.spi.TransportException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of one request: either a reply or a failure. */
public record Exchange(
        @Nullable List<String> reply, @Nullable RuntimeException failure) {

    /** Returns the failure of an exchange without a reply. */
    public RuntimeException problem() {
        return failure != null ? failure : new TransportException("no reply", true, null);
    }
}
