package dev.leasehold.chaos.work;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A lock library under test. Thread-safe. */
public interface Contender extends AutoCloseable {

    /** A request for a lock; with a wait time of zero it is sent once. */
    record Wish(String lock, Duration lease, boolean renewed, boolean reads, Duration timeLimit) {}

    /** An acquired lock. */
    interface Held {
        /** Returns the fencing token, 0 if there is none. */
        long token();

        /** Returns whether the library reports that it is held. */
        boolean held();

        /** Returns the least remaining time that the library reports; 0 if it reports none. */
        long leftNanos();

        /** Registers a listener for the loss, with its cause. */
        void onLost(Consumer<String> listener);

        /** Releases it, and returns whether it was held until then. */
        boolean release();
    }

    /** Thrown when there is no answer. */
    final class UnavailableException extends Exception {
        private static final long serialVersionUID = 1L;
        /** True if the lock may have been taken. */
        final boolean maybe;

        UnavailableException(boolean maybe, Throwable cause) {
            super(cause);
            this.maybe = maybe;
        }
    }

    /** Acquires it, or returns null if another client has it. */
    @Nullable
    Held acquire(Wish wish) throws UnavailableException, InterruptedException;

    /** Returns whether its client retains the hold after the release, to use it again. */
    default boolean retains(Wish wish) {
        return false;
    }

    /** Returns the library's time limit for one request. */
    Duration timeLimit();

    @Override
    void close();
}
