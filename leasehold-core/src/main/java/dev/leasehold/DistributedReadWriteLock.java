package dev.leasehold;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * A lock that many may hold to read, or one to write, over all processes that use the same Redis and key prefix.
 *
 * <p>Both sides give leases and have the methods of {@link java.util.concurrent.locks.Lock}, and each may have options of its
 * own, as a lease time by {@code readLock().with(...)}. The write side is {@link Leasehold#lock} of the same name.
 *
 * <ul>
 *   <li>Every reader has a lease and a deadline of its own; one whose process dies keeps writers out for its own lease and no
 *       longer. Readers of one process with the same lease time and renewal may share one hold in Redis: then none but the
 *       first asks Redis, and it goes with the last of them.
 *   <li>While a writer waits no new readers come in, so that readers who overlap cannot keep it out; of this process for
 *       50 ms at the most. Readers who waited while a writer had the lock come in together when it is released, before the
 *       writers behind them. Who does not wait, but asks once, finds the lock taken where others would wait.
 *   <li>Readers between two writers have one {@linkplain Lease#fencingToken() token}, above the first writer's and below the
 *       second's.
 *   <li>A thread that has the write side by {@code lock()} may lock the read side too, and keeps that when it unlocks the
 *       write side: so it becomes a reader with no moment between in which another could write. {@link #downgrade} does so
 *       with a lease.
 *   <li>A reader cannot become a writer: two who tried would wait for each other for ever. A thread that has the read side by
 *       {@code lock()} is refused with {@link IllegalStateException} at once. A lease belongs to no thread: who holds one of
 *       the read side and waits for the write side waits for itself, until its time is up.
 *   <li>The read side has no {@linkplain DistributedLock#ownedBy named owners}: whoever reads enters anyway.
 * </ul>
 *
 * <p>{@link DistributedLock#inspect} and {@link DistributedLock#forceRelease} concern the whole lock, whichever side they are
 * called on. When Redis does not answer, both sides do what {@link DistributedLock} says. Views are immutable and safe for use
 * by any thread.
 */
public interface DistributedReadWriteLock extends ReadWriteLock {

    /**
     * The name of the lock.
     *
     * @return the name as given by the caller
     */
    String name();

    /** The side that many may hold, as long as nobody writes. */
    @Override
    DistributedLock readLock();

    /** The side that one may hold, as long as nobody reads: the {@linkplain Leasehold#lock lock} of this name. */
    @Override
    DistributedLock writeLock();

    /**
     * Makes a writer a reader, with no moment between the two in which another could write. Writers wait on; readers who wait
     * before them come in. The lease of the writer is released, and must not be used any more.
     *
     * @param write a lease of the {@linkplain #writeLock write side} of this lock, held, and without a named owner
     * @return a lease of the read side, held, with the options of the other, and a fencing token above its
     * @throws IllegalArgumentException if it is a lease of another lock, client or side, or of a named owner
     * @throws LeaseLostException if the lease was lost or released
     * @throws LockUnavailableException if Redis did not answer within the command time-out; then neither lease is held, and
     *     the lock is given back in the background
     */
    Lease downgrade(Lease write);

    /**
     * The same as {@link #downgrade} without a waiting thread. Bad input is thrown by the call itself.
     *
     * @param write as there
     * @return completes with the lease of the read side, or fails as {@link #downgrade} throws
     * @throws IllegalArgumentException as there
     */
    CompletionStage<Lease> downgradeAsync(Lease write);
}
