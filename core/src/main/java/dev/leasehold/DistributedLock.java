package dev.leasehold;

import dev.leasehold.inspect.LockInfo;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock that at most one owner holds at a time, across all processes that use the same Redis and key prefix.
 *
 * <p>There are two ways to acquire it:
 *
 * <ul>
 *   <li>{@link #acquire()} and the other methods of {@link Acquirable} return a {@link Lease}. Each lease is its own
 *       owner and may be used from any thread. {@code acquire} is never reentrant: a caller that holds a lease and
 *       acquires the lock again waits for itself.
 *   <li>The methods of {@link Lock} belong to the calling thread. They are reentrant and counted locally: a nested call
 *       sends no request. A lost lease holds nothing: the thread may lock anew, and each {@link #unlock} of the lost hold
 *       throws {@link LeaseLostException} once it has unlocked the new one.
 * </ul>
 *
 * <p>A thread that has the lock by {@link #lock()} and waits for it without a time limit in another way, as a lease or as another
 * owner, would wait for its own {@link #unlock}: the call throws {@link IllegalStateException} immediately and sends nothing, unless
 * its hold ends without an unlock. A call with a time limit finds the lock busy. A lock and a semaphore of one name do not know of each
 * other's threads.
 *
 * <p>The methods of {@link Lock} that wait throw what {@link #acquire()} throws, {@code lock()} included: {@link LockUnavailableException}
 * if Redis does not answer, {@link ForeignKeyException}, and {@link LockNotAcquiredException} if the wait strategy limits the tries.
 *
 * <p>For a lock that is reentrant across threads and processes, use a {@linkplain #ownedBy named owner}.
 *
 * <p>Views are immutable and safe for use by any thread. Any two of one name are the same lock, but each is equal to itself only, and
 * none is serializable: compare and send names. {@code toString} tells name, kind and owner of the view, not who holds the lock, which
 * {@link #inspect} asks Redis for. When Redis does not answer, every method that acquires the
 * lock behaves, and throws, as {@link Acquirable} specifies.
 */
public interface DistributedLock extends Acquirable<Lease>, Lock {

    /**
     * The name of the lock.
     *
     * @return the name as given by the caller
     */
    String name();

    /**
     * Returns the same lock for a named owner, which may acquire it again from any thread, process or machine.
     *
     * @param owner the owner's name, such as an order id; 1 to 512 bytes of UTF-8, under the rules of names
     * @return a view whose acquisitions belong to that owner
     * @throws IllegalArgumentException if the owner breaks the rule
     * @throws UnsupportedOperationException if this is a {@linkplain dev.leasehold.interop.Formats#plain() plain lock}
     */
    OwnedLock ownedBy(String owner);

    /**
     * Returns the same lock with other options.
     *
     * @param options the options of acquisitions through the returned view
     * @return a view with these options
     * @throws IllegalArgumentException if the lease time exceeds the client's maximum
     */
    DistributedLock with(LockOptions options);

    /**
     * Returns whether the calling thread holds the lock through {@link Lock} methods of this client, and its lease is
     * valid. Local: sends no request.
     *
     * @return true while the thread may rely on holding the lock
     */
    boolean isHeldByCurrentThread();

    /**
     * Returns how many times the calling thread has locked without unlocking. Local: sends no request. Holds of a lost
     * lease do not count.
     *
     * @return the number of holds, 0 if none
     */
    int holdCount();

    /**
     * Returns the lease under which the calling thread holds the lock through {@link Lock} methods of this client. Use
     * it for the {@linkplain Lease#fencingToken() fencing token}, to extend the lease, or to be notified of its loss.
     * Local: sends no request. The lease is the same from {@code lock} to the last {@code unlock}, and stays tied to
     * the thread: only {@link #unlock} ends it. {@link Lease#release} and {@link Lease#close} throw
     * {@link IllegalStateException}.
     *
     * @return the lease, which may be lost; empty if the thread has not locked
     */
    Optional<Lease> leaseOfCurrentThread();

    /**
     * Returns the holder of the lock, as Redis sees it now. One round trip.
     *
     * @return the holder, or empty if the lock is free
     * @throws LockUnavailableException if Redis did not answer within the command timeout
     */
    Optional<LockInfo> inspect();

    /**
     * Requests that the holder release the lock; nothing is taken away. The holder is notified by
     * {@link Lease#onReleaseRequested} at its next renewal: by default within a third of its lease time. The request
     * reaches all readers, and all holds of a named owner. It concerns the present holders only and ends with their
     * holds; repeating it while they hold the lock changes nothing. A client that would hand off the lock to its own waiters
     * releases it. Nobody is notified if a hold has no lease: one that only its {@linkplain LockOptions.Builder#minHold minimum}
     * keeps, or that was {@linkplain Lease#export() exported} and closed. A leader is not notified either.
     *
     * @return whether the lock was held, so that the request was recorded
     * @throws LockUnavailableException if Redis did not answer within the command timeout; the request may have been
     *     recorded
     * @throws UnsupportedOperationException if this is a {@linkplain dev.leasehold.interop.Formats#plain() plain lock}
     */
    boolean requestRelease();

    /**
     * The asynchronous form of {@link #requestRelease}. The request may reach the holder even if the stage fails or is
     * cancelled.
     *
     * @return a stage with the result of {@link #requestRelease}, or with the exception that it throws; it also fails
     *     if the client is closed meanwhile. Dependent stages run where those of {@link #acquireAsync()} run
     * @throws UnsupportedOperationException immediately, if this is a {@linkplain dev.leasehold.interop.Formats#plain() plain lock}
     */
    CompletionStage<Boolean> requestReleaseAsync();

    /**
     * Takes the lock away from its holder. The fencing token rises, so that a guarded resource refuses the former
     * holder's late writes; a {@linkplain dev.leasehold.interop.Formats#plain() plain lock} has no token. The former holder is notified
     * at its next renewal at the latest; a lease of this client is lost when the call returns.
     *
     * <p>Redis refuses the request after the command timeout, so a copy that arrives late takes the lock from nobody. Within it, the
     * lock may have a new holder since {@link #inspect} showed one; {@link #forceRelease(long)} then leaves it alone.
     *
     * @return whether the lock was held
     * @throws ForeignKeyException if the key holds something else, for example a string that does not look like a
     *     {@linkplain dev.leasehold.interop.Formats#plain() plain lock}
     * @throws LockUnavailableException if Redis did not answer within the command timeout
     */
    boolean forceRelease();

    /**
     * Takes the lock away from the holder with this fencing token, and from no other. Otherwise like {@link #forceRelease()}.
     *
     * @param fencingToken the token of the holder, as {@link #inspect} shows it
     * @return whether that holder held the lock; if not, the lock is free or has another holder, and nothing was changed
     * @throws IllegalArgumentException if the token is not greater than 0
     * @throws LockUnavailableException if Redis did not answer within the command timeout
     * @throws UnsupportedOperationException if the lock has no tokens: a {@linkplain dev.leasehold.interop.Formats#plain() plain lock}, or permits
     */
    boolean forceRelease(long fencingToken);

    /**
     * Locks for the calling thread, and waits without a time limit. An interrupt does not end the wait; the thread's
     * interrupt status is set on return.
     *
     * @throws IllegalStateException if this thread would wait for its own {@link #unlock}
     */
    @Override
    void lock();

    /**
     * Locks for the calling thread, and waits until the lock is acquired or the thread is interrupted.
     *
     * @throws IllegalStateException if this thread would wait for its own {@link #unlock}
     */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /** Tries once to lock for the calling thread. */
    @Override
    boolean tryLock();

    /** Tries to lock for the calling thread, for at most the given time. */
    @Override
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

    /**
     * Unlocks once; the last of several unlocks releases the lock. Returns after the command timeout at the latest: if
     * Redis has not answered by then, the release is repeated in the background.
     *
     * @throws IllegalMonitorStateException if the calling thread does not hold the lock; no hold changes
     * @throws LeaseLostException if the lease of this hold was lost
     */
    @Override
    void unlock();

    /**
     * Not supported: a condition would need waiters in Redis that survive their owner.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    Condition newCondition();
}
