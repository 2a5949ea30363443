package dev.leasehold.internal.request;

import org.jspecify.annotations.Nullable;

/**
 * A caller's operation on Redis, as a state machine that never waits. A driver takes the {@linkplain #next next step},
 * executes it, and reports the outcome; the driver waits on the caller's thread or on none. Used by one driver at a time.
 */
public interface Operation<T> {

    /** Returns the next step; after the end of the operation always {@link Step.Over}. */
    Step next();

    /** Sets the action that ends a pause early; called once, before any other method. */
    default void wakeBy(Runnable wake) {}

    /** Handles the failure of the last request, or the absence of an answer in time; {@link Step.Send} has the handler of an answer. */
    void failed(RuntimeException failure);

    /**
     * Ends the operation, even with a request in flight, after an interrupt, a cancellation, the closing of the client, or a
     * bug. What it was granted, or may still be granted, is released.
     *
     * @param reason the failure for a caller that still waits, or null
     */
    void abandon(@Nullable RuntimeException reason);

    /** Returns the result of the operation, or throws its failure. */
    T outcome();

    /** Returns whether closing the client ends the operation; a release continues. */
    boolean endsWithClient();
}
