package dev.leasehold;

import dev.leasehold.inspect.LockInfo;
import java.util.Optional;

/**
 * So many permits, over all processes that use the same Redis and key prefix: whoever holds one may go on, and the others
 * wait until one comes back.
 *
 * <p>A permit is a {@link Lease}: renewed while it is held, told when it is lost, and back in the semaphore as soon as the
 * lease of a process that died has ended. It has no {@link Lease#fencingToken()}, for several hold at once and nothing at
 * the resource could tell the late from the others. Acquiring never re-enters: who holds a permit and acquires takes another.
 *
 * <p><strong>How many permits there are</strong> is said by whoever takes the first, and kept by Redis for as long as the
 * key (for the client's retention after its last use). Who says another number is refused with
 * {@link PermitsMismatchException}, so that two versions of a program cannot each count on their own number; so is who wants
 * more than there are. {@link #changePermits} changes it for all, whatever they say.
 *
 * <p><strong>Order.</strong> Who waits is served in about the order of arrival, and may be overtaken a few times by who comes
 * just when a permit is free; {@link #fair()} is strict. In neither can those who want few permits keep out one who wants
 * many: once it is the first that waits, what comes back is kept for it.
 *
 * <p>A semaphore and the {@link Leasehold#lock} of its name are one thing in Redis: while one holds the lock no permit is
 * given, and the lock is given when all permits are back.
 *
 * <p>When Redis does not answer, all methods do what {@link Acquirable} says, and throw what is said there. Views are
 * immutable and safe for use by any thread.
 */
public interface DistributedSemaphore extends Acquirable<Lease> {

    /**
     * The name of the semaphore.
     *
     * @return the name as given by the caller
     */
    String name();

    /**
     * How many permits the caller says that there are. Local: asks nobody.
     *
     * @return the number given to {@link Leasehold#semaphore}
     */
    int permits();

    /**
     * The same semaphore, several permits at a time: an acquisition takes all of them or none, and its one lease gives all
     * of them back.
     *
     * @param permits how many an acquisition takes
     * @return a view whose acquisitions take so many
     * @throws IllegalArgumentException if it is less than 1 or more than {@link #permits()}
     */
    DistributedSemaphore atOnce(int permits);

    /**
     * The same semaphore, fairly: whoever waits is served strictly in the order in which Redis registered the waiters of all
     * processes, and nobody overtakes, as with {@link Leasehold#fairLock}. Use it everywhere for a name or nowhere.
     *
     * @return a view whose acquisitions are fair
     * @throws IllegalArgumentException if the wait strategy is to poll
     */
    DistributedSemaphore fair();

    /**
     * The same semaphore with other options.
     *
     * @param options for what is acquired through the returned view
     * @return a view with these options
     * @throws IllegalArgumentException if the lease time exceeds the client's maximum, or if this view is fair and the wait
     *     strategy is to poll
     */
    DistributedSemaphore with(LockOptions options);

    /**
     * What this view takes, as a lock of which there are several: with the methods of
     * {@link java.util.concurrent.locks.Lock}, which belong to the calling thread and are re-entrant. A thread that locks it
     * twice has what it takes once.
     *
     * @return a lock over this view's permits; it has no {@linkplain DistributedLock#ownedBy named owners}
     */
    DistributedLock asLock();

    /**
     * How many permits are free, as Redis sees it now; more may be waited for than that. One round trip.
     *
     * @return the number; 0 also while the number was lowered and more than that are held
     * @throws PermitsMismatchException if there are others than this view says
     * @throws LockUnavailableException if Redis did not answer within the command time-out
     * @throws ForeignKeyException when something else lies under the key
     */
    int availablePermits();

    /**
     * Changes how many permits there are, for all processes and whatever number they say. Whoever holds permits keeps them:
     * with fewer than before, none are given until enough have come back. The change is kept as long as the key is, so for
     * the client's retention after its last use; then it is again for the first to say. A fail-over that loses the change
     * brings the former number back: {@link #inspect} tells.
     *
     * @param permits how many there are from now on, 1 to 1,000,000
     * @return how many there were; 0 if nobody had said so yet
     * @throws IllegalArgumentException if it is not from 1 to 1,000,000
     * @throws LockUnavailableException if Redis did not answer within the command time-out; the change may have been made
     * @throws ForeignKeyException when something else lies under the key
     */
    int changePermits(int permits);

    /**
     * Who holds permits, as Redis sees it now. One round trip.
     *
     * @return the holders, or empty if no permit is taken
     * @throws LockUnavailableException if Redis did not answer within the command time-out
     * @throws ForeignKeyException when something else lies under the key
     */
    Optional<LockInfo> inspect();
}
