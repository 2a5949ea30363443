/**
 * Acquires locks: one, several at once, or a lease that another process exported. It uses waiters, renewal and leases.
 * Begin to read with {@link dev.leasehold.internal.acquire.Acquisition}.
 */
@NullMarked
package dev.leasehold.internal.acquire;

import org.jspecify.annotations.NullMarked;
