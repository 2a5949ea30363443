package dev.leasehold.console.internal.observe;

import java.time.Duration;

/** A state that is read again and again while somebody watches. */
public interface Observation extends AutoCloseable {

    /** Registers a viewer; the first one starts a refresh at once. */
    void enter();

    /** Removes a viewer; without one, the refreshes stop. */
    void leave();

    /** Returns a number that changes with each refresh. */
    long version();

    /** Waits until the version differs from the one seen; returns whether it does. */
    boolean await(long seen, Duration limit) throws InterruptedException;

    @Override
    void close();
}
