/**
 * ShedLock's locks over a {@link dev.leasehold.Leasehold} client: {@link dev.leasehold.shedlock.LeaseholdLockProvider}, and the
 * lease of the job that runs, {@link dev.leasehold.shedlock.JobLease}.
 */
@NullMarked
package dev.leasehold.shedlock;

import org.jspecify.annotations.NullMarked;
