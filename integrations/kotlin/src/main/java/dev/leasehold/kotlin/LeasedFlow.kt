package dev.leasehold.kotlin

import dev.leasehold.Acquirable
import dev.leasehold.Lease
import kotlin.time.Duration
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.FlowCollector
import kotlinx.coroutines.flow.flow

/**
 * Returns a cold flow that holds the lock while it is collected. Each collection acquires a lease of its own, runs the
 * block, and releases the lease when the block ends, when the collector fails, is cancelled or wants no more elements.
 *
 * The lock is held while the collector processes an element. Operators that run the collector in another coroutine, such
 * as `buffer`, `conflate` and `flowOn`, end this: elements that they still keep are processed after the release.
 *
 * Acquisition, cancellation and loss are as [withLease] specifies: a loss cancels the collection, which then throws
 * [dev.leasehold.LeaseLostException].
 *
 * @param block emits the elements; it has the rules of the block of [flow], and gets the lease, whose fencing token a
 *     guarded resource checks
 * @return the flow
 */
public fun <L : Lease, T> Acquirable<L>.leasedFlow(block: suspend FlowCollector<T>.(L) -> Unit): Flow<T> =
    flow { withLease { lease -> block(lease) } }

/**
 * Returns a cold flow that holds the lock while it is collected, as [leasedFlow] without a time does, if the lock is
 * acquired within a time.
 *
 * @param wait the longest time for which each collection waits for the lock; zero tries once. A collection that does not
 *     acquire it throws [dev.leasehold.LockNotAcquiredException]
 * @param block emits the elements
 * @return the flow
 */
public fun <L : Lease, T> Acquirable<L>.leasedFlow(
    wait: Duration,
    block: suspend FlowCollector<T>.(L) -> Unit,
): Flow<T> = flow { withLease(wait) { lease -> block(lease) } }
