/**
 * The public API of Leasehold: locks in Redis or Valkey that are held on a lease.
 *
 * <p>Start at {@link dev.leasehold.Leasehold}. A {@link dev.leasehold.Lease} is one acquisition; a
 * {@link dev.leasehold.DistributedLock} is the name it was acquired under, and a {@link java.util.concurrent.locks.Lock}.
 */
@NullMarked
package dev.leasehold;

import org.jspecify.annotations.NullMarked;
