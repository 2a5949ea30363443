package dev.leasehold.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A listener that observes each acquisition separately, from the call to the end of its lease: for traces, which must
 * know the caller. Register it with the client like any other listener; without one, tracing costs nothing.
 *
 * <p>It observes every operation that results in a lease: acquiring one lock, acquiring several in one call, resuming
 * an exported lease, and a downgrade. In a downgrade, the read lease is observed from the call on, and the write lease
 * ends as released.
 */
public interface LockTracer extends LeaseholdListener {

    /**
     * Called when an acquisition begins. Runs on the caller's thread, also for an asynchronous acquisition, before
     * anything is sent and never under a lock, so it must not block. If it throws, the client logs the exception and
     * continues without a trace. Not called while 10,000 events of this tracer are waiting to be delivered.
     *
     * @param lockName the lock
     * @return the listener for this acquisition, or null to skip it
     */
    @Nullable
    LockTrace begins(String lockName);

    /**
     * Called when an acquisition of several locks begins ({@link dev.leasehold.Leasehold#allOf(String...)}). They are
     * one lease to their holder, and so one trace: acquired when all locks are, lost with the first, released with the
     * last. The events name the locks as {@link dev.leasehold.MultiLease#name()} does and have the token 0, except for
     * the loss, whose event is that of the lost lock. The label is shown beside the holder of each lock.
     *
     * @param lockNames the locks, in the order of the call
     * @return the listener for this acquisition, or null to skip it; by default the result of {@link #begins(String)}
     *     with all names
     */
    default @Nullable LockTrace begins(List<String> lockNames) {
        return begins(String.join(", ", lockNames));
    }
}
