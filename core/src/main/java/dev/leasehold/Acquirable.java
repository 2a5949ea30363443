package dev.leasehold;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * An object that a caller acquires on a lease: a {@linkplain DistributedLock lock}, {@linkplain MultiLock several locks
 * together}, or {@linkplain DistributedSemaphore permits}. It is <em>busy</em> while other callers hold the lock, one
 * of the locks, or too many of the permits.
 *
 * <p><strong>When Redis does not answer</strong>, a timed method ends at its time limit. A method without a time limit
 * throws {@link LockUnavailableException} when Redis has not answered for the client's outage tolerance (10 s by
 * default). If the outcome of an acquisition is unknown, the client undoes it in the background.
 *
 * <p>Every method throws {@link IllegalStateException} once the client is closed, {@link LockUnavailableException} if
 * Redis does not answer or refuses the request, and {@link ForeignKeyException} if the key of a lock holds something
 * else. Safe for use by any thread; but the methods that wait throw {@link IllegalStateException} on an {@linkplain
 * dev.leasehold.spi.EventLoops event loop}, which must not block, and send nothing.
 *
 * @param <L> the type of lease
 */
public interface Acquirable<L extends Lease> {

    /**
     * Acquires the lease, and waits without a time limit.
     *
     * @return the lease, held
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing stays held
     * @throws LockNotAcquiredException if the wait strategy's number of tries is used up
     * @throws LockUnavailableException see above
     */
    L acquire() throws InterruptedException;

    /**
     * Acquires the lease within the given time.
     *
     * @param wait the longest time to wait in total; zero tries once. Even when Redis is down, the call exceeds it by
     *     at most 5 ms, the minimum time for the first request
     * @return the lease, held
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing stays held
     * @throws LockNotAcquiredException if it was busy until the time limit
     * @throws LockUnavailableException if Redis was not answering at the time limit
     * @throws IllegalArgumentException if {@code wait} is negative
     */
    L acquire(Duration wait) throws InterruptedException;

    /**
     * Tries once. Takes one round trip, or two if other callers use the lock, and as many for each lock if no single call
     * can take several locks. Takes at most the command timeout, and with {@linkplain LockOptions.Builder#durability
     * replicas or disks} at most the time that they have longer.
     *
     * @return the lease, or empty if it is busy
     * @throws LockUnavailableException if Redis did not answer within that time
     */
    Optional<L> tryAcquire();

    /**
     * Tries to acquire the lease within the given time.
     *
     * @param wait the longest time to wait in total; zero tries once
     * @return the lease, or empty if it was busy until the time limit
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing stays held
     * @throws LockUnavailableException if Redis was not answering at the time limit
     * @throws IllegalArgumentException if {@code wait} is negative
     */
    Optional<L> tryAcquire(Duration wait) throws InterruptedException;

    /**
     * The asynchronous form of {@link #acquire()}. Cancelling the stage's future undoes the acquisition. Dependent
     * stages run on the client's event executor.
     *
     * @return a stage with the lease, or with the exception that {@code acquire} throws
     */
    CompletionStage<L> acquireAsync();

    /**
     * The asynchronous form of {@link #acquire(Duration)}.
     *
     * @param wait the longest time to wait in total
     * @return a stage with the lease, or with the exception that {@code acquire} throws
     * @throws IllegalArgumentException immediately, if {@code wait} is negative
     */
    CompletionStage<L> acquireAsync(Duration wait);

    /**
     * The asynchronous form of {@link #tryAcquire()}.
     *
     * @return a stage with the lease, or with an empty optional if it is busy
     */
    CompletionStage<Optional<L>> tryAcquireAsync();

    /**
     * The asynchronous form of {@link #tryAcquire(Duration)}.
     *
     * @param wait the longest time to wait in total
     * @return a stage with the lease, or with an empty optional if it was busy until the time limit
     * @throws IllegalArgumentException immediately, if {@code wait} is negative
     */
    CompletionStage<Optional<L>> tryAcquireAsync(Duration wait);
}
