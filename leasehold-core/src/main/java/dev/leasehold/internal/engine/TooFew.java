package dev.leasehold.internal.engine;

import dev.leasehold.spi.TransportException;
import org.jspecify.annotations.Nullable;

/** Redis said yes, but too few replicas have it, or nobody can tell how many: for whoever asked, that is no answer. */
final class TooFew extends RuntimeException {

    private static final long serialVersionUID = 1L;

    final int wanted;
    /** -1 if the server did not tell. */
    final int acknowledged;

    private TooFew(int wanted, int acknowledged, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.wanted = wanted;
        this.acknowledged = acknowledged;
    }

    /** As a failure of the request, which was executed. */
    static TransportException acknowledged(int acknowledged, int wanted, long millis) {
        return failure(new TooFew(
                wanted,
                acknowledged,
                acknowledged + " of " + wanted + " replicas acknowledged it within " + millis + " ms",
                null));
    }

    /** The same: the server refuses to tell. */
    static TransportException untold(int wanted, Throwable refusal) {
        return failure(new TooFew(
                wanted,
                -1,
                "the server does not tell how many replicas have it: " + Messages.reason(refusal),
                refusal));
    }

    private static TransportException failure(TooFew few) {
        return new TransportException(String.valueOf(few.getMessage()), true, few);
    }

    /** What a request failed with, if it is this. */
    static @Nullable TooFew of(RuntimeException failure) {
        return failure.getCause() instanceof TooFew few ? few : null;
    }
}
