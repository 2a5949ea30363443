package dev.leasehold.kotlin

import dev.leasehold.Acquirable
import dev.leasehold.Lease
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.CoroutineScope

/**
 * Runs a block under a lease of its own, and releases the lease when the block ends, normally or not. Suspends until
 * the lock is acquired, and blocks no thread.
 *
 * The owner is the lease, not the thread: two coroutines of one thread exclude each other, and the lock is not
 * reentrant.
 *
 * **Cancellation.** A coroutine that is cancelled while it waits stops waiting. A coroutine that already holds the lock
 * releases it first, and ends when Redis has confirmed the release or the client's command timeout has passed. If a
 * request for the lock is under way at that moment, the client undoes it in the background.
 *
 * **Loss.** If the lease is lost, the block is cancelled, and [dev.leasehold.LeaseLostException] is thrown when the
 * block has ended, even if the coroutine was cancelled, too. If the block throws another exception, that one is thrown,
 * with the loss as a suppressed exception.
 *
 * @param block the work; its scope is cancelled if the lease is lost, and the lock is held until all coroutines that it
 *     launches in this scope have ended
 * @return the result of the block
 * @throws dev.leasehold.LockNotAcquiredException if the wait strategy's number of tries is used up
 * @throws dev.leasehold.LockUnavailableException if Redis did not answer for the client's outage tolerance, or refuses
 */
public suspend fun <L : Lease, R> Acquirable<L>.withLease(block: suspend CoroutineScope.(L) -> R): R =
    holding(acquired({ acquireAsync() }) { it }, block)

/**
 * Runs a block under a lease of its own, as [withLease] without a time does, if the lock is acquired within a time.
 *
 * @param wait the longest time to wait for the lock; zero tries once. The block may take longer
 * @param block the work
 * @return the result of the block
 * @throws dev.leasehold.LockNotAcquiredException if others held the lock until the time was over
 * @throws dev.leasehold.LockUnavailableException if Redis did not answer at the end of the time
 * @throws IllegalArgumentException if [wait] is negative
 */
public suspend fun <L : Lease, R> Acquirable<L>.withLease(
    wait: Duration,
    block: suspend CoroutineScope.(L) -> R,
): R = holding(acquired({ acquireAsync(wait.toJavaDuration()) }) { it }, block)

/**
 * Runs a block under a lease of its own, as [withLease] does, or returns null without running it if others hold the
 * lock.
 *
 * @param wait the longest time to wait for the lock; zero, the default, tries once. The block may take longer
 * @param block the work
 * @return the result of the block, or null if others held the lock until the time was over
 * @throws dev.leasehold.LockUnavailableException if Redis did not answer at the end of the time
 * @throws IllegalArgumentException if [wait] is negative
 */
public suspend fun <L : Lease, R> Acquirable<L>.withLeaseOrNull(
    wait: Duration = Duration.ZERO,
    block: suspend CoroutineScope.(L) -> R,
): R? {
    val lease = acquired({ tryAcquireAsync(wait.toJavaDuration()) }) { it.orElse(null) }
    return lease.orElse(null)?.let { holding(it, block) }
}
