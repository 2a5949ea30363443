package dev.leasehold.kotlin

import dev.leasehold.Lease
import dev.leasehold.event.LossEvent
import dev.leasehold.event.ReleaseRequestedEvent
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.launch

/**
 * Registers a listener that may suspend, for the request to release this lease. At the request, which the client reports
 * at most once, [action] is launched in [scope]. No coroutine waits for the request, so a scope with such a listener ends
 * as if it had none; after its end the listener is not called.
 *
 * Within [withLease], pass the scope of the block: the lock stays held until a listener that has begun ends.
 *
 * The client learns of a request within milliseconds where Redis tells it of changed keys, else from the answer to a
 * renewal. The lease stays held and renewed, whatever the listener does.
 *
 * @param scope the scope that launches [action], on its own dispatcher. An exception of [action] fails it, as that of any
 *     other child
 * @param action the listener
 */
public fun Lease.onReleaseRequested(
    scope: CoroutineScope,
    action: suspend CoroutineScope.(ReleaseRequestedEvent) -> Unit,
) {
    onReleaseRequested { event -> scope.launch { action(event) } }
}

/**
 * Registers a listener that may suspend, for the loss of this lease. At the loss, which the client reports exactly once,
 * or at once if the lease is lost already, [action] is launched in [scope]. It is not called if the lease is released.
 *
 * A loss cancels the scope of the block of [withLease], so pass a scope around it: there the listener runs while the
 * block ends.
 *
 * @param scope the scope that launches [action], on its own dispatcher; after its end the listener is not called. An
 *     exception of [action] fails it, as that of any other child
 * @param action the listener
 */
public fun Lease.onLost(scope: CoroutineScope, action: suspend CoroutineScope.(LossEvent) -> Unit) {
    onLost { event -> scope.launch { action(event) } }
}
