/**
 * Retained holds: a hold that stays in Redis for a short time after its release, so that the next acquisition of the same lock in
 * this client needs no request. It uses leases, renewal, waiters, wake-ups and requests. Begin to read with {@link
 * dev.leasehold.internal.retain.RetainedLocks}, then {@link dev.leasehold.internal.retain.RetainedHold}.
 */
@NullMarked
package dev.leasehold.internal.retain;

import org.jspecify.annotations.NullMarked;
