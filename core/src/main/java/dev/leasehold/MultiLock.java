package dev.leasehold;

import java.util.List;

/**
 * Several locks that are acquired together: all or none. Each is the same lock that {@link Leasehold#lock} returns for
 * its name, so a holder of one of them excludes a holder of all, and vice versa.
 *
 * <p><strong>No deadlock.</strong> The locks are acquired in one global order, whatever the order of the names, so two
 * callers never wait for each other in a cycle. While it waits for one lock, the caller already holds the locks that
 * come earlier in that order, and the client renews them. So a caller proceeds as soon as the queue of each lock has
 * served it, and later callers that want fewer locks cannot starve it. The price: a lock may be held idle while its
 * holder waits for another. A caller that acquires further locks while it holds some can still deadlock, as with any
 * lock: acquire together the locks that belong together.
 *
 * <p><strong>One time limit</strong> covers all locks. If it passes, or the caller cancels, or Redis fails, the client
 * releases all locks acquired so far, including those whose acquisition was not answered.
 *
 * <p>There is no thread-owned {@code lock()} and {@code unlock()}, and no reentrancy: sets of names may overlap, and a
 * thread that holds "a" and requests "a" and "b" would have to wait for "b" out of order. For the same reason there are
 * no named owners. An {@code acquire} by a thread that already holds a lease of one of the locks waits for itself; by one that has it by
 * {@code lock()} it is refused, as {@link DistributedLock} specifies. To inspect a
 * lock or to release it by force, use {@link Leasehold#lock} with its name. Fair and plain locks cannot be acquired
 * together.
 *
 * <p>A number of tries and a maximum hold apply to each lock separately; the maximum hold counts from the moment when
 * that lock was acquired. Renewals during the wait for other locks are not counted. They also happen if the options
 * disable renewal: when the last lock is acquired, each lock has at least some 60 % of its lease time left.
 *
 * <p>An exception names the lock that was busy, that Redis refused, or whose key holds something else. Views are
 * immutable and safe for use by any thread.
 */
public interface MultiLock extends Acquirable<MultiLease> {

    /**
     * The names of the locks.
     *
     * @return the names in the order in which the caller gave them; immutable
     */
    List<String> names();

    /**
     * Returns the same locks with other options.
     *
     * @param options the options of acquisitions through the returned view
     * @return a view with these options
     * @throws IllegalArgumentException if the lease time exceeds the client's maximum
     */
    MultiLock with(LockOptions options);
}
