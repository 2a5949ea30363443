package dev.leasehold;

import dev.leasehold.inspect.LockInfo;
import java.time.Duration;
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
 * <p><strong>When Redis does not answer</strong>, a timed method ends when its time is up; one without a time-out ends
 * with {@link LockUnavailableException} when Redis has not answered for the client's outage tolerance (10 s by
 * default). An acquisition whose outcome is unknown is undone in the background.
 *
 * <p>Views are immutable and safe for use by any thread. Every method that takes the lock throws
 * {@link IllegalStateException} once the client is closed, {@link LockUnavailableException} when Redis does not answer
 * or refuses, and {@link ForeignKeyException} when something else lies under the lock's key.
 */
public interface DistributedLock extends Lock {

    /**
     * The name of the lock.
     *
     * @return the name as given by the caller
     */
    String name();

    /**
     * Acquires the lock, waiting as long as it takes.
     *
     * @return the lease, held
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing stays held
     * @throws LockNotAcquiredException if the wait strategy's number of tries is used up
     * @throws LockUnavailableException see above
     */
    Lease acquire() throws InterruptedException;

    /**
     * Acquires the lock within a time.
     *
     * @param wait how long to wait at most; zero tries once. Also when Redis is down it is never
     *     exceeded by more than 5 ms, which the first request is given at the least
     * @return the lease, held
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing stays held
     * @throws LockNotAcquiredException if others held the lock for the whole time
     * @throws LockUnavailableException if Redis did not answer at the end of the time
     * @throws IllegalArgumentException if {@code wait} is negative
     */
    Lease acquire(Duration wait) throws InterruptedException;

    /**
     * Tries once. Takes one round trip, and at most the command time-out.
     *
     * @return the lease, or empty if another holds the lock
     * @throws LockUnavailableException if Redis did not answer within the command time-out
     */
    Optional<Lease> tryAcquire();

    /**
     * Tries for a time.
     *
     * @param wait how long to wait at most; zero tries once
     * @return the lease, or empty if others held the lock for the whole time
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing stays held
     * @throws LockUnavailableException if Redis did not answer at the end of the time
     * @throws IllegalArgumentException if {@code wait} is negative
     */
    Optional<Lease> tryAcquire(Duration wait) throws InterruptedException;

    /**
     * {@link #acquire()} without a waiting thread. Cancelling the stage's future gives up and undoes the acquisition.
     * Dependent stages run on the client's event executor.
     *
     * @return a stage with the lease, or with the exception that {@code acquire} would throw
     */
    CompletionStage<Lease> acquireAsync();

    /**
     * {@link #acquire(Duration)} without a waiting thread.
     *
     * @param wait how long to wait at most
     * @return a stage with the lease, or with the exception that {@code acquire} would throw
     * @throws IllegalArgumentException at once, if {@code wait} is negative
     */
    CompletionStage<Lease> acquireAsync(Duration wait);

    /**
     * {@link #tryAcquire()} without a waiting thread.
     *
     * @return a stage with the lease, or with empty if another holds the lock
     */
    CompletionStage<Optional<Lease>> tryAcquireAsync();

    /**
     * {@link #tryAcquire(Duration)} without a waiting thread.
     *
     * @param wait how long to wait at most
     * @return a stage with the lease, or with empty if others held the lock for the whole time
     * @throws IllegalArgumentException at once, if {@code wait} is negative
     */
    CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait);

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
