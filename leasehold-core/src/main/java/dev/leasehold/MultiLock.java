package dev.leasehold;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

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
 * <p>Views are immutable and safe for use by any thread. Every method that takes the locks throws
 * {@link IllegalStateException} once the client is closed, {@link LockUnavailableException} when Redis does not answer or
 * refuses, and {@link ForeignKeyException} when something else lies under the key of one of the locks; the exception names
 * that lock.
 */
public interface MultiLock {

    /**
     * The names of the locks.
     *
     * @return the names in the order in which the caller gave them; immutable
     */
    List<String> names();

    /**
     * Acquires all locks, waiting as long as it takes.
     *
     * @return the lease, held
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing stays held
     * @throws LockNotAcquiredException if the wait strategy's number of tries is used up for one of the locks
     * @throws LockUnavailableException if Redis has not answered for the client's outage tolerance
     */
    MultiLease acquire() throws InterruptedException;

    /**
     * Acquires all locks within a time.
     *
     * @param wait how long to wait at most for all of them together; zero tries once. Also when Redis is down it is never
     *     exceeded by more than 5 ms, which the first request is given at the least
     * @return the lease, held
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing stays held
     * @throws LockNotAcquiredException if others held one of the locks until the time was over; it names that lock
     * @throws LockUnavailableException if Redis did not answer at the end of the time
     * @throws IllegalArgumentException if {@code wait} is negative
     */
    MultiLease acquire(Duration wait) throws InterruptedException;

    /**
     * Tries once, for at most the command time-out.
     *
     * @return the lease, or empty if another holds one of the locks
     * @throws LockUnavailableException if Redis did not answer within the command time-out
     */
    Optional<MultiLease> tryAcquire();

    /**
     * Tries for a time.
     *
     * @param wait how long to wait at most for all of them together; zero tries once
     * @return the lease, or empty if others held one of the locks until the time was over
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing stays held
     * @throws LockUnavailableException if Redis did not answer at the end of the time
     * @throws IllegalArgumentException if {@code wait} is negative
     */
    Optional<MultiLease> tryAcquire(Duration wait) throws InterruptedException;

    /**
     * {@link #acquire()} without a waiting thread. Cancelling the stage's future gives up and undoes the acquisition.
     * Dependent stages run on the client's event executor.
     *
     * @return a stage with the lease, or with the exception that {@code acquire} would throw
     */
    CompletionStage<MultiLease> acquireAsync();

    /**
     * {@link #acquire(Duration)} without a waiting thread.
     *
     * @param wait how long to wait at most for all of them together
     * @return a stage with the lease, or with the exception that {@code acquire} would throw
     * @throws IllegalArgumentException at once, if {@code wait} is negative
     */
    CompletionStage<MultiLease> acquireAsync(Duration wait);

    /**
     * {@link #tryAcquire()} without a waiting thread.
     *
     * @return a stage with the lease, or with empty if another holds one of the locks
     */
    CompletionStage<Optional<MultiLease>> tryAcquireAsync();

    /**
     * {@link #tryAcquire(Duration)} without a waiting thread.
     *
     * @param wait how long to wait at most for all of them together
     * @return a stage with the lease, or with empty if others held one of the locks until the time was over
     * @throws IllegalArgumentException at once, if {@code wait} is negative
     */
    CompletionStage<Optional<MultiLease>> tryAcquireAsync(Duration wait);

    /**
     * The same locks with other options.
     *
     * @param options for what is acquired through the returned view
     * @return a view with these options
     * @throws IllegalArgumentException if the lease time exceeds the client's maximum
     */
    MultiLock with(LockOptions options);
}
