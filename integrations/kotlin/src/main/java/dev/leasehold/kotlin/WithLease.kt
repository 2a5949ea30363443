package dev.leasehold.kotlin

import dev.leasehold.Acquirable
import dev.leasehold.Lease
import java.util.concurrent.CompletionException
import java.util.concurrent.CompletionStage
import kotlin.coroutines.resumeWithException
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.cancel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.withContext

/**
 * Runs a block under a lease of its own, and releases the lease when the block ends, normally or not. Suspends until
 * the lock is acquired, and blocks no thread. A coroutine that is cancelled while it waits stops waiting, and a lease
 * that it has acquired is released.
 *
 * The owner is the lease, not the thread: two coroutines of one thread exclude each other, and the lock is not
 * reentrant.
 *
 * If the lease is lost, the block is cancelled, and [dev.leasehold.LeaseLostException] is thrown when the block has
 * ended. If the block throws another exception, that one is thrown, with the loss as a suppressed exception.
 *
 * @throws dev.leasehold.LockNotAcquiredException if the wait strategy's number of tries is used up
 * @throws dev.leasehold.LockUnavailableException if Redis did not answer for the client's outage tolerance, or refuses
 */
public suspend fun <L : Lease, R> Acquirable<L>.withLease(block: suspend CoroutineScope.(L) -> R): R =
    under(await(acquireAsync()) { it }, block)

/**
 * Runs a block under a lease of its own, if the lock is acquired within a time.
 *
 * @param wait the longest time to wait; zero tries once
 * @throws dev.leasehold.LockNotAcquiredException if others held the lock until the time was over
 * @throws dev.leasehold.LockUnavailableException if Redis did not answer at the end of the time
 */
public suspend fun <L : Lease, R> Acquirable<L>.withLease(
    wait: Duration,
    block: suspend CoroutineScope.(L) -> R,
): R = under(await(acquireAsync(wait.toJavaDuration())) { it }, block)

private suspend fun <L : Lease, R> under(lease: L, block: suspend CoroutineScope.(L) -> R): R {
    var failure: Throwable? = null
    try {
        return coroutineScope {
            lease.onLost { cancel(CancellationException("the lease was lost: ${it.cause()}")) }
            block(lease)
        }
    } catch (e: Throwable) {
        failure = e
        throw e
    } finally {
        release(lease, failure)
    }
}

/** Releases the lease, also if the coroutine is cancelled. Throws the loss if the loss has cancelled the block. */
private suspend fun release(lease: Lease, failure: Throwable?) {
    withContext(NonCancellable) {
        try {
            await(lease.releaseAsync().thenApply { }) { null }
        } catch (e: Throwable) {
            if (failure == null || failure is CancellationException) {
                throw e
            }
            failure.addSuppressed(e)
        }
    }
}

/** Awaits a stage. A lease that arrives after the cancellation of the waiter is released. */
private suspend fun <T> await(stage: CompletionStage<T>, lease: (T) -> Lease?): T = suspendCancellableCoroutine { waiter ->
    waiter.invokeOnCancellation { stage.toCompletableFuture().cancel(false) }
    stage.whenComplete { result, failure ->
        if (failure == null) {
            waiter.resume(result) { _, late, _ -> lease(late)?.releaseAsync() }
        } else {
            waiter.resumeWithException((failure as? CompletionException)?.cause ?: failure)
        }
    }
}
