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
 * Runs a block under a lease of its own, which is released when the block ends, however it ends. Suspends until the lock is
 * acquired, and blocks no thread. A coroutine that is cancelled while it waits gives up, and what was taken is given back.
 *
 * The owner is the lease, not the thread: two coroutines of one thread keep each other out, and the block does not re-enter.
 *
 * When the lease is lost, the block is cancelled, and [dev.leasehold.LeaseLostException] is thrown when it has ended. An exception
 * of the block goes first, with that one suppressed.
 *
 * @throws dev.leasehold.LockNotAcquiredException if the wait strategy's number of tries is used up
 * @throws dev.leasehold.LockUnavailableException if Redis did not answer for the client's outage tolerance, or refuses
 */
public suspend fun <L : Lease, R> Acquirable<L>.withLease(block: suspend CoroutineScope.(L) -> R): R =
    under(await(acquireAsync()) { it }, block)

/**
 * The same, if the lock is acquired within a time.
 *
 * @param wait how long to wait at most, in all; zero tries once
 * @throws dev.leasehold.LockNotAcquiredException if it was taken by others until the time was over
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

/** Also when the coroutine is cancelled. Whoever was cancelled because of the loss is told of the loss. */
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

/** A lease that comes when nobody waits for it any more is given back. */
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
