package dev.leasehold.kotlin

import dev.leasehold.DistributedLock
import dev.leasehold.DistributedSemaphore
import dev.leasehold.recipes.LeaderElection
import dev.leasehold.LockOptions
import dev.leasehold.MultiLock
import dev.leasehold.OwnedLock
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Builds options, starting from [LockOptions.defaults].
 *
 * ```
 * val options = lockOptions {
 *     leaseTime(10.seconds)
 *     label("nightly report")
 * }
 * ```
 *
 * @param set sets the options that differ
 * @return the options
 * @throws IllegalArgumentException if a value breaks its rule
 */
public fun lockOptions(set: LockOptions.Builder.() -> Unit): LockOptions = LockOptions.builder().apply(set).build()

/**
 * Returns the same lock with the options that [lockOptions] builds; those of the client do not count.
 *
 * @param set sets the options that differ from [LockOptions.defaults]
 * @return a view with these options
 * @throws IllegalArgumentException if a value breaks its rule, or the lease time exceeds the client's maximum
 */
public fun DistributedLock.with(set: LockOptions.Builder.() -> Unit): DistributedLock = with(lockOptions(set))

/**
 * Returns the same lock of a named owner with the options that [lockOptions] builds; those of the client do not count.
 *
 * @param set sets the options that differ from [LockOptions.defaults]
 * @return a view with these options
 * @throws IllegalArgumentException if a value breaks its rule, or the lease time exceeds the client's maximum
 */
public fun OwnedLock.with(set: LockOptions.Builder.() -> Unit): OwnedLock = with(lockOptions(set))

/**
 * Returns the same locks with the options that [lockOptions] builds; those of the client do not count.
 *
 * @param set sets the options that differ from [LockOptions.defaults]
 * @return a view with these options
 * @throws IllegalArgumentException if a value breaks its rule, or the lease time exceeds the client's maximum
 */
public fun MultiLock.with(set: LockOptions.Builder.() -> Unit): MultiLock = with(lockOptions(set))

/**
 * Returns the same semaphore with the options that [lockOptions] builds; those of the client do not count.
 *
 * @param set sets the options that differ from [LockOptions.defaults]
 * @return a view with these options
 * @throws IllegalArgumentException if a value breaks its rule, or the lease time exceeds the client's maximum
 */
public fun DistributedSemaphore.with(set: LockOptions.Builder.() -> Unit): DistributedSemaphore = with(lockOptions(set))

/**
 * Returns the same election with the options that [lockOptions] builds; those of the client do not count.
 *
 * @param set sets the options that differ from [LockOptions.defaults]
 * @return a view with these options
 * @throws IllegalArgumentException if a value breaks its rule, or the lease time exceeds the client's maximum
 */
public fun LeaderElection.with(set: LockOptions.Builder.() -> Unit): LeaderElection = with(lockOptions(set))

/**
 * Sets the lease time.
 *
 * @param time at least [LockOptions.MIN_LEASE_TIME]; default 30 s
 * @return this
 */
public fun LockOptions.Builder.leaseTime(time: Duration): LockOptions.Builder = leaseTime(time.toJavaDuration())

/**
 * Sets the longest time for which the lease is renewed.
 *
 * @param limit positive, counted from the start of the lease; default none
 * @return this
 */
public fun LockOptions.Builder.maxHold(limit: Duration): LockOptions.Builder = maxHold(limit.toJavaDuration())

/**
 * Sets for how long the client retains the hold in Redis after a release.
 *
 * @param time from [LockOptions.MIN_RETAIN_TIME] to [LockOptions.MAX_RETAIN_TIME]; default never
 * @return this
 */
public fun LockOptions.Builder.retainFor(time: Duration): LockOptions.Builder = retainFor(time.toJavaDuration())

/**
 * Sets the shortest time for which Redis keeps the lock, even if it is released before.
 *
 * @param time positive, at most the lease time; default none
 * @return this
 */
public fun LockOptions.Builder.minHold(time: Duration): LockOptions.Builder = minHold(time.toJavaDuration())

/**
 * Requires the acknowledgement of replicas.
 *
 * @param number the number of replicas, at least 1
 * @param within how long to wait for them, at least 1 ms and at most a third of the lease time
 * @return this
 * @throws IllegalArgumentException if one of them breaks its rule
 */
public fun LockOptions.Builder.replicas(number: Int, within: Duration): LockOptions.Builder =
    replicas(number, within.toJavaDuration())

/**
 * Requires the lock on disk: in the synced append-only files of the primary and of the given number of replicas.
 *
 * @param replicas the number of replicas in addition to the primary; 0 for the primary alone
 * @param within how long to wait for them, at least 1 ms and at most a third of the lease time
 * @return this
 * @throws IllegalArgumentException if one of them breaks its rule
 */
public fun LockOptions.Builder.onDisk(replicas: Int, within: Duration): LockOptions.Builder =
    onDisk(replicas, within.toJavaDuration())
