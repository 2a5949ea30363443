/**
 * Locks, semaphores and leases as callers see them: thin views over acquisitions, releases and renewals. It uses all
 * of these, and nothing uses it but recipes and the assembly. Begin to read with {@link
 * dev.leasehold.internal.lock.LockView}.
 */
@NullMarked
package dev.leasehold.internal.lock;

import org.jspecify.annotations.NullMarked;
