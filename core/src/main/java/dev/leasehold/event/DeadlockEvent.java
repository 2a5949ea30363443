package dev.leasehold.event;

import dev.leasehold.inspect.Deadlock;

/**
 * Callers of several processes wait for each other, and one of them is a caller of this client. Nothing is done about it.
 *
 * @param deadlock the cycle, which is certain
 */
public record DeadlockEvent(Deadlock deadlock) {}
