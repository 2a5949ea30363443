package dev.leasehold.annotation;

import dev.leasehold.Lease;
import java.util.List;
import java.util.Optional;

/** The lease under which the calling thread runs a method with {@link Lock}. Thread-safe. */
public final class CurrentLease {

    private CurrentLease() {}

    /**
     * Returns the lease of the innermost method.
     *
     * @return the lease; it may have been lost meanwhile
     * @throws IllegalStateException if the thread runs no such method
     */
    public static Lease get() {
        return find().orElseThrow(
                        () -> new IllegalStateException("this thread runs no method with @Lock: call it through"
                                + " the bean, not by 'this', or pass the lease to other threads as a parameter"));
    }

    /**
     * Returns the lease of the innermost method, if there is one.
     *
     * @return the lease, or empty if the thread runs no method with {@link Lock}
     */
    public static Optional<Lease> find() {
        List<Frame> frames = Frames.current();
        return frames.isEmpty()
                ? Optional.empty()
                : Optional.of(frames.get(frames.size() - 1).hold().lease());
    }
}
