/**
 * A lock provider for ShedLock, {@link dev.leasehold.shedlock.LeaseholdLockProvider}, and the lease of the running job,
 * {@link dev.leasehold.shedlock.JobLease}.
 */
@NullMarked
package dev.leasehold.shedlock;

import org.jspecify.annotations.NullMarked;
