package dev.leasehold;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What is acquired as a lease: a {@linkplain DistributedLock lock}, {@linkplain MultiLock several locks together}, or
 * {@linkplain DistributedSemaphore permits}. Taken by others means that the lock, one of the locks or too many of the permits
 * are.
 *
 * <p><strong>When Redis does not answer</strong>, a timed method ends when its time is up; one without a time-out ends
 * with {@link LockUnavailableException} when Redis has not answered for the client's outage tolerance (10 s by
 * default). An acquisition whose outcome is unknown is undone in the background.
 *
 * <p>Every method throws {@link IllegalStateException} once the client is closed, {@link LockUnavailableException} when Redis
 * does not answer or refuses, and {@link ForeignKeyException} when something else lies under the key of a lock. Safe for use
 * by any thread.
 *
 * @param <L> what it gives
 */
public interface Acquirable<L extends Lease> {

    /**
     * Acquires, waiting as long as it takes.
     *
     * @return the lease, held
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing stays held
     * @throws LockNotAcquiredException if the wait strategy's number of tries is used up
     * @throws LockUnavailableException see above
     */
    L acquire() throws InterruptedException;

    /**
     * Acquires within a time.
     *
     * @param wait how long to wait at most, in all; zero tries once. Also when Redis is down it is never
     *     exceeded by more than 5 ms, which the first request is given at the least
     * @return the lease, held
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing stays held
     * @throws LockNotAcquiredException if it was taken by others until the time was over
     * @throws LockUnavailableException if Redis did not answer at the end of the time
     * @throws IllegalArgumentException if {@code wait} is negative
     */
    L acquire(Duration wait) throws InterruptedException;

    /**
     * Tries once. Takes one round trip, or one for each of several locks that no single call can take, and at most the command
     * time-out.
     *
     * @return the lease, or empty if it is taken by others
     * @throws LockUnavailableException if Redis did not answer within the command time-out
     */
    Optional<L> tryAcquire();

    /**
     * Tries for a time.
     *
     * @param wait how long to wait at most, in all; zero tries once
     * @return the lease, or empty if it was taken by others until the time was over
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing stays held
     * @throws LockUnavailableException if Redis did not answer at the end of the time
     * @throws IllegalArgumentException if {@code wait} is negative
     */
    Optional<L> tryAcquire(Duration wait) throws InterruptedException;

    /**
     * {@link #acquire()} without a waiting thread. Cancelling the stage's future gives up and undoes the acquisition.
     * Dependent stages run on the client's event executor.
     *
     * @return a stage with the lease, or with the exception that {@code acquire} would throw
     */
    CompletionStage<L> acquireAsync();

    /**
     * {@link #acquire(Duration)} without a waiting thread.
     *
     * @param wait how long to wait at most, in all
     * @return a stage with the lease, or with the exception that {@code acquire} would throw
     * @throws IllegalArgumentException at once, if {@code wait} is negative
     */
    CompletionStage<L> acquireAsync(Duration wait);

    /**
     * {@link #tryAcquire()} without a waiting thread.
     *
     * @return a stage with the lease, or with empty if it is taken by others
     */
    CompletionStage<Optional<L>> tryAcquireAsync();

    /**
     * {@link #tryAcquire(Duration)} without a waiting thread.
     *
     * @param wait how long to wait at most, in all
     * @return a stage with the lease, or with empty if it was taken by others until the time was over
     * @throws IllegalArgumentException at once, if {@code wait} is negative
     */
    CompletionStage<Optional<L>> tryAcquireAsync(Duration wait);
}
