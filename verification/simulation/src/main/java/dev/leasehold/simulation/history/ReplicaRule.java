package dev.leasehold.simulation.history;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * C15: while a lease that waits for a replica reports to be held, the replica has received its hold, with an end that is no earlier
 * than the lease says. C1 and C2 judge that a failover to this replica loses no such hold.
 */
final class ReplicaRule {

    private final History history;
    private final Unpromised unpromised;
    private final Verdict verdict;
    /** By acquisition id: the end of the hold that the replica has. */
    private final Map<String, Long> ends = new HashMap<>();
    /** By operation: its holds. A reader that was a writer has the writer's. */
    private final Map<Integer, Set<String>> holds = new HashMap<>();

    ReplicaRule(History history, Unpromised unpromised, Verdict verdict) {
        this.history = history;
        this.unpromised = unpromised;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            if (entry.is(What.REPLICATED)) {
                ends.put(entry.note(), entry.until());
            } else if (entry.is(What.SERVER_GRANTED)) {
                holds.computeIfAbsent(entry.op(), op -> new HashSet<>()).add(entry.note());
            } else if (entry.is(What.GRANTED, What.HELD) && unpromised.isReplicated(entry.op())) {
                held(entry);
            }
        }
    }

    private void held(Entry entry) {
        if (entry.until() <= entry.at()) {
            return;
        }
        verdict.judge(Rule.C15);
        long end = holds.getOrDefault(entry.op(), Set.of()).stream()
                .mapToLong(id -> ends.getOrDefault(id, 0L))
                .max()
                .orElse(0);
        if (end >= entry.until()) {
            return;
        }
        long from = history.began(entry.op());
        if (unpromised.leaseMayBeGone(entry.op(), entry.lock(), from, entry.at())
                || unpromised.clockMayHaveStood(entry.client(), from, entry.at())) {
            verdict.waive(Rule.C15);
        } else {
            verdict.violate(
                    Rule.C15,
                    entry.at(),
                    entry.lock(),
                    "op " + entry.op() + " reports held until " + entry.until() / 1_000_000
                            + " ms, and the replica has it until " + end / 1_000_000 + " ms");
        }
    }
}
