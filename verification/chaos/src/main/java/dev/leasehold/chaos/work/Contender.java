package dev.leasehold.chaos.work;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A library of locks that takes part. Thread-safe. */
public interface Contender extends AutoCloseable {

    /** How a lock is asked for; with a wait of zero it is asked for once. */
    record Wish(String lock, Duration lease, boolean renewed, boolean reads, Duration patience) {}

    /** A lock that was acquired. */
    interface Held {
        /** The fencing token, 0 if there is none. */
        long token();

        /** Whether the library says that it is held. */
        boolean held();

        /** For how much longer at least, by the library's word; 0 if it says nothing about that. */
        long leftNanos();

        /** Has the loss told, with its cause. */
        void onLost(Consumer<String> listener);

        /** Releases it, and says whether it was held until then. */
        boolean release();
    }

    /** What has no answer. */
    final class UnavailableException extends Exception {
        private static final long serialVersionUID = 1L;
        /** Whether the lock may have been taken. */
        final boolean maybe;

        UnavailableException(boolean maybe, Throwable cause) {
            super(cause);
            this.maybe = maybe;
        }
    }

    /** Acquires it, or returns null if another has it. */
    @Nullable
    Held acquire(Wish wish) throws UnavailableException, InterruptedException;

    /** How long the library may take for one question. */
    Duration patience();

    @Override
    void close();
}
