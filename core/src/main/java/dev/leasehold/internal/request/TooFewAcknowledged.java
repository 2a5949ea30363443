package dev.leasehold.internal.request;

import dev.leasehold.Durability;
import dev.leasehold.spi.TransportException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown internally when Redis granted a request, but too few replicas or disks acknowledged it, or the server does not report
 * how many. The operation treats it as "no answer".
 */
public final class TooFewAcknowledged extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public final boolean onDisk;
    public final int wanted;
    /** The number of servers that acknowledged; -1 if the server did not report it. */
    public final int acknowledged;

    private TooFewAcknowledged(Durability durability, int acknowledged, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.onDisk = durability.onDisk();
        this.wanted = wanted(durability);
        this.acknowledged = acknowledged;
    }

    /** Returns the number of servers that must acknowledge: on disk, the primary is one of them. */
    static int wanted(Durability durability) {
        return durability.replicas() + (durability.onDisk() ? 1 : 0);
    }

    /** Returns the failure of an executed request that too few servers acknowledged in time. */
    static TransportException tooFew(int acknowledged, Durability durability, long millis) {
        return failure(new TooFewAcknowledged(
                durability,
                acknowledged,
                acknowledged + " of " + wanted(durability)
                        + (durability.onDisk()
                                ? " servers had it on disk within "
                                : " replicas acknowledged it within ")
                        + millis + " ms"
                        + (millis < durability.within().toMillis()
                                ? ", which was left of " + durability.within().toMillis() + " ms"
                                : ""),
                null));
    }

    /** Returns the failure of an executed request for which the server refuses to count acknowledgements. */
    static TransportException noCount(Durability durability, Throwable refusal) {
        return failure(new TooFewAcknowledged(
                durability,
                -1,
                "the server does not report how many "
                        + (durability.onDisk() ? "servers have it on disk: " : "replicas have it: ")
                        + RequestFailures.reason(refusal),
                refusal));
    }

    private static TransportException failure(TooFewAcknowledged few) {
        return new TransportException(String.valueOf(few.getMessage()), true, few);
    }

    /** Returns the cause of a request's failure if it is too few acknowledgements, otherwise null. */
    public static @Nullable TooFewAcknowledged of(RuntimeException failure) {
        return failure.getCause() instanceof TooFewAcknowledged few ? few : null;
    }
}
