package dev.leasehold.kotlin

import dev.leasehold.Lease
import java.util.concurrent.CompletionStage
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.cancel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.future.await
import kotlinx.coroutines.withContext

/**
 * Awaits an acquisition. The coroutine may be cancelled before the request, during it, or when the lease has arrived but
 * the coroutine has not resumed: the lease is released in each case.
 */
internal suspend fun <T> acquired(begin: () -> CompletionStage<T>, lease: (T) -> Lease?): T {
    currentCoroutineContext().ensureActive()
    val acquisition = begin().toCompletableFuture()
    try {
        return acquisition.await()
    } catch (e: CancellationException) {
        // Cancelling the future undoes an acquisition that has not ended. One that has ended has a lease to release.
        if (!acquisition.cancel(false) && !acquisition.isCompletedExceptionally) {
            lease(acquisition.join())?.let { release(it) }?.let(e::addSuppressed)
        }
        throw e
    }
}

/** Runs a block under a lease that was acquired, and releases the lease. */
internal suspend fun <L : Lease, R> holding(lease: L, block: suspend CoroutineScope.(L) -> R): R {
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
        release(lease)?.let { loss ->
            // The block that the loss has cancelled did not fail by itself.
            if (failure == null || failure is CancellationException) {
                throw loss
            }
            failure.addSuppressed(loss)
        }
    }
}

/** Releases the lease, also if the coroutine is cancelled. Returns the failure of the release, which tells a loss. */
private suspend fun release(lease: Lease): Throwable? = withContext(NonCancellable) {
    runCatching { lease.releaseAsync().await() }.exceptionOrNull()
}
