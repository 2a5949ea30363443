/**
 * The waiters of this process: local queues, positions in the queues of Redis, polls, and the hand-off of a hold from
 * one lease to the next. It uses wake-ups, leases, renewal and requests. Begin to read with {@link
 * dev.leasehold.internal.wait.LocalWaiters}, then {@link dev.leasehold.internal.wait.LocalHold}.
 */
@NullMarked
package dev.leasehold.internal.wait;

import org.jspecify.annotations.NullMarked;
