package dev.leasehold.console.internal.observe;

import dev.leasehold.inspect.LockInfo;

/**
 * A held lock with what only repeated observation tells.
 *
 * @param info the lock as Redis reported it
 * @param lease the longest remaining time seen in this tenure, in milliseconds: about the lease time
 * @param late whether the lease was renewed before and now has less than half of that left: a renewal is overdue
 */
public record HeldLock(LockInfo info, long lease, boolean late) {}
