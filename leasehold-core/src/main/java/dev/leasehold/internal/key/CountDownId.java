package dev.leasehold.internal.key;

/** What makes a call to a latch the same call when it is repeated: an id of its own, or one that the caller named. */
public record CountDownId(String field) {

    /** Of one call, over its retries. */
    public static CountDownId of(AcquisitionId id) {
        return new CountDownId(id.value());
    }

    /**
     * Of all calls with this name, also from other processes.
     *
     * @throws IllegalArgumentException if the name is empty, too long, or holds NUL or a lone surrogate
     */
    public static CountDownId named(String name) {
        byte[] unused = Names.check("count-down id", name);
        return new CountDownId(OwnerKey.named(name).field());
    }
}
