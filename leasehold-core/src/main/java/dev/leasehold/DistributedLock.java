package dev.leasehold;

import dev.leasehold.inspect.LockInfo;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock that at most one owner holds at a time, over all processes that use the same Redis and key prefix.
 *
 * <p>There are two ways to take it. {@link #acquire()} and its kin return a {@link Lease}: one section of work, its own
 * owner, usable from any thread; an {@code acquire} never re-enters, so a thread that holds the lock and acquires it
 * again waits for itself. The methods of {@link Lock} are owned by the calling thread, re-entrant, and counted locally:
 * re-entry sends nothing. Re-entry across threads and processes is for {@linkplain #ownedBy named owners}.
 *
 * <p>Views are immutable and safe for use by any thread. When Redis does not answer, every method that takes the lock does
 * what {@link Acquirable} says, and throws what is said there.
 */
public interface DistributedLock extends Acquirable<Lease>, Lock {

    /**
     * The name of the lock.
     *
     * @return the name as given by the caller
     */
    String name();

    /**
     * The same lock for a named owner, who may re-enter from any thread, process or machine.
     *
     * @param owner who owns it, such as an order id; 1 to 512 bytes of UTF-8, under the rules of names
     * @return a view whose acquisitions belong to that owner
     * @throws IllegalArgumentException if the owner breaks the rule
     * @throws UnsupportedOperationException if this is a {@linkplain Leasehold#plainLock plain lock}
     */
    OwnedLock ownedBy(String owner);

    /**
     * The same lock with other options.
     *
     * @param options for what is acquired through the returned view
     * @return a view with these options
     * @throws IllegalArgumentException if the lease time exceeds the client's maximum
     */
    DistributedLock with(LockOptions options);

    /**
     * Whether the calling thread holds the lock through {@link Lock} methods of this client, and its lease is valid.
     * Local: asks nobody.
     *
     * @return true while it may rely on holding it
     */
    boolean isHeldByCurrentThread();

    /**
     * How many times the calling thread has locked without unlocking. Local: asks nobody. A thread whose lease is lost
     * still counts until it unlocks.
     *
     * @return the number of holds, 0 if none
     */
    int holdCount();

    /**
     * The lease under which the calling thread holds the lock through {@link Lock} methods of this client: for its
     * {@linkplain Lease#fencingToken() fencing token}, to extend it, or to hear of its loss. Local: asks nobody. The same lease
     * from {@code lock} to the last {@code unlock}; it goes on being tied to the thread. Leave it to {@link #unlock} to give it
     * back.
     *
     * @return the lease, which may be lost; empty if the thread has not locked
     */
    Optional<Lease> leaseOfCurrentThread();

    /**
     * Who holds the lock, as Redis sees it now. One round trip.
     *
     * @return the holder, or empty if nobody holds it
     * @throws LockUnavailableException if Redis did not answer within the command time-out
     */
    Optional<LockInfo> inspect();

    /**
     * Asks whoever holds the lock to release it; nothing is taken away. The holder hears of it by
     * {@link Lease#onReleaseRequested}, at its next renewal: by default within a third of its lease time. Readers, and the
     * holds of a named owner, are all asked. The request is about the present holders and goes with them; to ask again while
     * they hold changes nothing.
     *
     * @return whether somebody held it, and so is asked
     * @throws LockUnavailableException if Redis did not answer within the command time-out; the holder may be asked
     * @throws UnsupportedOperationException if this is a {@linkplain Leasehold#plainLock plain lock}
     */
    boolean requestRelease();

    /**
     * The same as {@link #requestRelease} without a waiting thread. Whatever becomes of the stage, the holder may be asked.
     *
     * @return completes with whether somebody held it, and so is asked, or fails as {@link #requestRelease} throws, also if the
     *     client is closed meanwhile. Dependent stages run where those of {@link #acquireAsync()} do
     * @throws UnsupportedOperationException at once, if this is a {@linkplain Leasehold#plainLock plain lock}
     */
    CompletionStage<Boolean> requestReleaseAsync();

    /**
     * Takes the lock away from whoever holds it. The fencing token rises, so that the former holder's late writes are
     * refused by a guarded resource (not so with a {@linkplain Leasehold#plainLock plain lock}); the holder is told at its
     * next renewal at the latest.
     *
     * @return whether somebody held it
     * @throws LockUnavailableException if Redis did not answer within the command time-out
     */
    boolean forceRelease();

    /**
     * Locks for the calling thread, waiting as long as it takes; an interrupt is kept for later.
     *
     * @throws LeaseLostException if this thread already holds the lock and its lease is lost: it must unlock first
     */
    @Override
    void lock();

    /**
     * Locks for the calling thread, waiting until it is interrupted.
     *
     * @throws LeaseLostException if this thread already holds the lock and its lease is lost: it must unlock first
     */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /**
     * Tries once to lock for the calling thread.
     *
     * @throws LeaseLostException if this thread already holds the lock and its lease is lost: it must unlock first
     */
    @Override
    boolean tryLock();

    /**
     * Tries for a time to lock for the calling thread.
     *
     * @throws LeaseLostException if this thread already holds the lock and its lease is lost: it must unlock first
     */
    @Override
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

    /**
     * Unlocks once; the last of several unlocks releases. Returns after the command time-out at the latest: when Redis
     * does not answer by then, the release is repeated in the background.
     *
     * @throws IllegalMonitorStateException if the calling thread does not hold the lock; nobody's hold changes
     * @throws LeaseLostException if the lease was lost meanwhile
     */
    @Override
    void unlock();

    /**
     * Refused: a condition would need waiters in Redis that survive their owner.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    Condition newCondition();
}
