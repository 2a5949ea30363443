package dev.leasehold.internal.waitgraph;

import dev.leasehold.diagnostics.Deadlock;
import dev.leasehold.diagnostics.LockWait;
import dev.leasehold.diagnostics.WaitGraph;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Which deadlocks were reported and still exist. For one thread at a time. */
final class ReportedDeadlocks {

    private Set<Set<LockWait>> reported = Set.of();

    /**
     * Returns those deadlocks of a look that are certain and were not there before. What was reported before counts as still there
     * if a process did not answer this time.
     */
    List<Deadlock> newIn(WaitGraph look) {
        Set<Set<LockWait>> existing = new HashSet<>();
        List<Deadlock> fresh = new ArrayList<>();
        for (Deadlock deadlock : look.deadlocks()) {
            Set<LockWait> waits = deadlock.cycle().stream()
                    .map(ReportedDeadlocks::withoutTime)
                    .collect(Collectors.toSet());
            if (deadlock.certain() && existing.add(waits) && !reported.contains(waits)) {
                fresh.add(deadlock);
            }
        }
        if (!look.silent().isEmpty()) {
            existing.addAll(reported);
        }
        reported = existing;
        return fresh;
    }

    /** The times of two looks differ by their reading. */
    private static LockWait withoutTime(LockWait wait) {
        return new LockWait(wait.lock(), wait.wants(), wait.waiter(), null, List.of());
    }
}
