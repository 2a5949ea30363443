package dev.leasehold;

import dev.leasehold.inspect.LockInfo;
import java.util.Optional;

/**
 * A number of permits, shared by all processes that use the same Redis and key prefix. A caller that acquires a permit
 * proceeds; other callers wait until a permit is returned.
 *
 * <p>A permit is a {@link Lease}: the client renews it while it is held and notifies its holder of a loss. If a process
 * dies, its permits return to the semaphore when their leases end. A permit has no {@link Lease#fencingToken()}:
 * several callers hold permits at the same time, so the guarded resource could not tell a stale holder from the others.
 * Acquiring is never reentrant: a caller that holds a permit and acquires again takes another permit.
 *
 * <p><strong>The number of permits</strong> is set by the first client that acquires one. Redis keeps it as long as the
 * key: for the client's {@link LeaseholdBuilder#rememberTokens} after the last use. A client that passes a different number gets
 * {@link PermitsMismatchException}, so that two versions of a program cannot rely on different numbers. A request for
 * more permits than exist gets the same exception. {@link #changePermits} changes the number for all clients, whatever
 * number they pass.
 *
 * <p><strong>Order.</strong> Waiters are served in approximate order of arrival; a caller that arrives just when a
 * permit is free may overtake them a few times. {@link #fair()} is strict. In both modes callers that want few permits
 * cannot starve a waiter that wants many: once it is the head of the queue, returned permits are reserved for it.
 *
 * <p>A semaphore and the {@link Leasehold#lock} of the same name share one key in Redis: while the lock is held, no
 * permit is granted, and the lock is granted once all permits are returned.
 *
 * <p>When Redis does not answer, all methods behave, and throw, as {@link Acquirable} specifies. Views are immutable
 * and safe for use by any thread.
 */
public interface DistributedSemaphore extends Acquirable<Lease> {

    /**
     * The name of the semaphore.
     *
     * @return the name as given by the caller
     */
    String name();

    /**
     * Returns the number of permits that this view expects. Local: sends no request.
     *
     * @return the number given to {@link Leasehold#semaphore}
     */
    int permits();

    /**
     * Returns the same semaphore with several permits per acquisition: an acquisition takes all of them or none, and
     * releasing its lease returns all of them.
     *
     * @param permits the number of permits per acquisition
     * @return a view whose acquisitions take this number
     * @throws IllegalArgumentException if the number is less than 1 or more than {@link #permits()}
     */
    DistributedSemaphore atOnce(int permits);

    /**
     * Returns the same semaphore in fair mode: waiters are served strictly in the order in which Redis registered the
     * waiters of all processes, without barging, as with {@link Leasehold#fairLock}. Use fair mode for a name
     * everywhere or nowhere.
     *
     * @return a view whose acquisitions are fair
     * @throws IllegalArgumentException if the wait strategy is to poll
     */
    DistributedSemaphore fair();

    /**
     * Returns the same semaphore with other options.
     *
     * @param options the options of acquisitions through the returned view
     * @return a view with these options
     * @throws IllegalArgumentException if the lease time exceeds the client's maximum, or if this view is fair and the wait
     *     strategy is to poll
     */
    DistributedSemaphore with(LockOptions options);

    /**
     * Returns the permits of this view as a lock that several callers may hold, with the methods of
     * {@link java.util.concurrent.locks.Lock}, which belong to the calling thread and are reentrant. A thread that
     * locks it twice holds the permits of one acquisition.
     *
     * @return a lock over this view's permits; it has no {@linkplain DistributedLock#ownedBy named owners}
     */
    DistributedLock asLock();

    /**
     * Returns the number of free permits, as Redis sees it now; waiters may want more than that. One round trip.
     *
     * @return the number of free permits; also 0 if the number was lowered and more permits than that are held
     * @throws PermitsMismatchException if the semaphore has another number of permits than this view expects
     * @throws LockUnavailableException if Redis did not answer within the command timeout
     * @throws ForeignKeyException if the key holds something else
     */
    int availablePermits();

    /**
     * Changes the number of permits for all processes, whatever number they pass. Holders keep their permits: after a
     * decrease, Redis grants none until enough have been returned. Redis keeps the change as long as the key: for the
     * client's {@link LeaseholdBuilder#rememberTokens} after the last use. After that, the first client sets the number again. A failover that loses
     * the change restores the former number; check it with {@link #inspect}.
     *
     * @param permits the new number of permits, 1 to 1,000,000
     * @return the former number; 0 if it was not set
     * @throws IllegalArgumentException if the number is not from 1 to 1,000,000
     * @throws LockUnavailableException if Redis did not answer within the command timeout; the change may have been made
     * @throws ForeignKeyException if the key holds something else
     */
    int changePermits(int permits);

    /**
     * Returns the holders of permits, as Redis sees them now. One round trip.
     *
     * @return the holders, or empty if no permit is taken
     * @throws LockUnavailableException if Redis did not answer within the command timeout
     * @throws ForeignKeyException if the key holds something else
     */
    Optional<LockInfo> inspect();
}
