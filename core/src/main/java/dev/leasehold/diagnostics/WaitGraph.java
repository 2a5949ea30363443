package dev.leasehold.diagnostics;

import java.util.List;

/**
 * Who waits for whom, as the processes and Redis said one after another: another moment may have passed between two of them.
 *
 * @param waits all waits that were found, each with the holders of its lock
 * @param silent the processes, as {@code pid@host}, that did not tell in time what their threads wait for: of these only what Redis
 *     knows is shown
 * @param deadlocks the cycles among the waits, each read twice, so that all of it existed at one moment; those that are certain first
 */
public record WaitGraph(List<LockWait> waits, List<String> silent, List<Deadlock> deadlocks) {

    /** Keeps its own copies. */
    public WaitGraph {
        waits = List.copyOf(waits);
        silent = List.copyOf(silent);
        deadlocks = List.copyOf(deadlocks);
    }
}
