package dev.leasehold.internal.store;

/** An answer that shows the clock of the server. */
public interface StoreAnswer {

    /** The time at which the server executed the request; {@link ServerTime#NONE} if the answer does not contain it. */
    ServerTime now();

    /** Returns whether the request was executed in part, and is to be sent again for the rest. */
    default boolean partial() {
        return false;
    }
}
