package dev.leasehold.event;

import dev.leasehold.diagnostics.Deadlock;

/**
 * Callers wait for each other, perhaps in several processes, and a caller of this client is one of them or waits for one. Nothing is
 * done about it.
 *
 * @param deadlock the cycle, which is certain
 */
public record DeadlockEvent(Deadlock deadlock) {}
