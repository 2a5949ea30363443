package dev.leasehold.diagnostics;

import java.util.List;
import java.util.Map;

/**
 * A cycle of waits: each waits for a lock that the next one holds, and the last for one that the first holds. A wait or a lease
 * with a limit ends it; nothing else does.
 *
 * @param cycle the waits, at least one; a single one waits for a lock that it holds itself
 * @param certain true if all of it existed at the same moment, and each holder is the thread that waits for the next lock. False if a
 *     lease is bound to no thread, a named owner acts in several threads, permits of a semaphore are waited for, or a process
 *     did not answer
 * @param stacks the stacks of the threads that wait, innermost frame first; only of this client, and of clients with {@code
 *     LeaseholdBuilder.shareStacks(true)} that answered
 */
public record Deadlock(List<LockWait> cycle, boolean certain, Map<LockParty, List<String>> stacks) {

    /** Keeps its own copies. */
    public Deadlock {
        cycle = List.copyOf(cycle);
        stacks = Map.copyOf(stacks);
    }
}
