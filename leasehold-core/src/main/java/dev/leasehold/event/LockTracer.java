package dev.leasehold.event;

import org.jspecify.annotations.Nullable;

/**
 * A listener that follows each acquisition by itself, from the call to the end of its lease: for traces, which must know the
 * caller. Given to the client as any other listener; a client without one does nothing for it.
 *
 * <p>The locks of one call for several ({@link dev.leasehold.Leasehold#allOf(String...)}) and leases that are resumed are not traced.
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
}
