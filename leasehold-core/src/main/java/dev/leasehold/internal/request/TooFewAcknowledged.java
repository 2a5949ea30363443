package dev.leasehold.internal.request;

import dev.leasehold.Durability;
import dev.leasehold.internal.lease.LockMessages;
import dev.leasehold.spi.TransportException;
import org.jspecify.annotations.Nullable;

/** Redis said yes, but too few replicas or disks have it, or nobody can tell how many: for whoever asked, that is no answer. */
public final class TooFewAcknowledged extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public final boolean onDisk;
    public final int wanted;
    /** -1 if the server did not tell. */
    public final int acknowledged;

    private TooFewAcknowledged(Durability durability, int acknowledged, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.onDisk = durability.onDisk();
        this.wanted = wanted(durability);
        this.acknowledged = acknowledged;
    }

    /** How many must have it: on disk, the primary too. */
    static int wanted(Durability durability) {
        return durability.replicas() + (durability.onDisk() ? 1 : 0);
    }

    /** As a failure of the request, which was executed. */
    static TransportException acknowledged(int acknowledged, Durability durability, long millis) {
        return failure(new TooFewAcknowledged(
                durability,
                acknowledged,
                acknowledged + " of " + wanted(durability)
                        + (durability.onDisk()
                                ? " servers had it on disk within "
                                : " replicas acknowledged it within ")
                        + millis + " ms",
                null));
    }

    /** The same: the server refuses to tell. */
    static TransportException untold(Durability durability, Throwable refusal) {
        return failure(new TooFewAcknowledged(
                durability,
                -1,
                "the server does not tell how many "
                        + (durability.onDisk() ? "servers have it on disk: " : "replicas have it: ")
                        + LockMessages.reason(refusal),
                refusal));
    }

    private static TransportException failure(TooFewAcknowledged few) {
        return new TransportException(String.valueOf(few.getMessage()), true, few);
    }

    /** What a request failed with, if it is this. */
    public static @Nullable TooFewAcknowledged of(RuntimeException failure) {
        return failure.getCause() instanceof TooFewAcknowledged few ? few : null;
    }
}
