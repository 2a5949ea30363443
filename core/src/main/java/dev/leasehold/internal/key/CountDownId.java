package dev.leasehold.internal.key;

/** The idempotency key of a count-down: generated, or chosen by the caller. */
public record CountDownId(String field) {

    /** Returns the key of a single call and its retries. */
    public static CountDownId of(AcquisitionId id) {
        return new CountDownId(id.value());
    }

    /**
     * Returns the key that all calls with this name share, also from other processes.
     *
     * @throws IllegalArgumentException if the name is empty, too long, or holds NUL or a lone surrogate
     */
    public static CountDownId named(String name) {
        byte[] unused = Names.check("count-down id", name);
        return new CountDownId(OwnerKey.named(name).field());
    }
}
