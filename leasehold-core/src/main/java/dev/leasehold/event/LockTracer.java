package dev.leasehold.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A listener that follows each acquisition by itself, from the call to the end of its lease: for traces, which must know the
 * caller. Given to the client as any other listener; a client without one does nothing for it.
 *
 * <p>Whatever brings a lease is followed: a lock that is acquired, several in one call, an exported lease that is resumed, and a
 * downgrade, whose reader is followed from the call on while the writer's lease ends as released.
 */
public interface LockTracer extends LeaseholdListener {

    /**
     * An acquisition begins. Runs on the thread of the caller, also of an asynchronous one, before anything is sent and never
     * under a lock, so it must not wait. What it throws is logged, and the acquisition goes on untraced.
     *
     * @param lockName the lock
     * @return what hears of this acquisition, or null if it is not to be traced
     */
    @Nullable
    LockTrace begins(String lockName);

    /**
     * The same of one call for several locks ({@link dev.leasehold.Leasehold#allOf(String...)}), which are one lease to their
     * holder, and so one trace: held when all are, lost with the first, released with the last. Its events name the locks as
     * {@link dev.leasehold.MultiLease#name()} does and have the token 0, but for the loss, which is that of the one that was lost.
     * Its label is shown beside the holder of each.
     *
     * @param lockNames the locks, in the order of the call
     * @return what hears of this acquisition, or null if it is not to be traced; by default as of one lock with all the names
     */
    default @Nullable LockTrace begins(List<String> lockNames) {
        return begins(String.join(", ", lockNames));
    }
}
