package dev.leasehold;

import java.util.List;

/**
 * Several locks that are taken together: all or none. Each is the very lock that {@link Leasehold#lock} gives for its name,
 * so whoever holds one of them keeps this out, and the other way round.
 *
 * <p><strong>No deadlock.</strong> The locks are taken in one order, whatever the order of the names, so two callers never
 * wait for each other in a circle. Who waits for one of the locks holds those before it in that order meanwhile, and they
 * are renewed. So a caller is served as soon as the queue of each lock has served it, and nobody who comes later and wants
 * less can starve it; the price is that a lock may be held idle while its holder waits for another. Who takes further locks
 * while holding some can still run into a circle, here as with any lock: take together what belongs together.
 *
 * <p><strong>One limit of time</strong> is over all locks. If it is not met, or the caller gives up, or Redis fails,
 * whatever was taken is given back, also what may have been taken without an answer.
 *
 * <p>There is no {@code lock()} and {@code unlock()} by thread and no re-entry: sets of names may overlap, and a thread that
 * holds "a" and asks for "a" and "b" would have to wait for "b" out of the order. For the same reason there are no named
 * owners. An {@code acquire} by a thread that holds one of the locks already waits for itself. To inspect or to force a lock,
 * use {@link Leasehold#lock} with its name. Fair and plain locks cannot be taken together.
 *
 * <p>Of the options, a number of tries and a maximum hold count for each lock by itself, the latter from the moment in which
 * that lock was taken. Renewals while others are waited for are not counted, and there are such also if the lease is not to
 * be renewed: of its time at least some 60 % is left for each lock when the last one is there.
 *
 * <p>An exception names the lock that was taken by others, was refused, or under whose key something else lies. Views are
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
     * The same locks with other options.
     *
     * @param options for what is acquired through the returned view
     * @return a view with these options
     * @throws IllegalArgumentException if the lease time exceeds the client's maximum
     */
    MultiLock with(LockOptions options);
}
