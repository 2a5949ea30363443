package dev.leasehold.internal.store;

import dev.leasehold.internal.key.LockKey;

/** A request about one lock or latch, or about several that one call may reach. */
public interface LockRequest<A> extends StoreRequest<A> {

    /** The lock or latch, or the first of several; its kind and its shard are those of all. */
    LockKey key();

    /** Returns whether it asks for a hold that is there, to prolong or confirm it: then its answer says whether the hold still is. */
    default boolean prolongs() {
        return false;
    }
}
