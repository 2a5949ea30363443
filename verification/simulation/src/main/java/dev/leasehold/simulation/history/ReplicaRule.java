package dev.leasehold.simulation.history;

import java.util.HashMap;
import java.util.Map;

/**
 * C15: while a lease that waits for a replica reports to be held, the replica has received its hold, with an end that is no earlier
 * than the lease says. C1 and C2 judge that a failover to this replica loses no such hold.
 */
final class ReplicaRule {

    private final History history;
    private final Unpromised unpromised;
    private final Verdict verdict;
    /** By operation and acquisition id: the end of the hold that the replica has. */
    private final Map<Integer, Map<String, Long>> ends = new HashMap<>();
    /** The same by acquisition id alone. */
    private final Map<String, Long> last = new HashMap<>();

    ReplicaRule(History history, Unpromised unpromised, Verdict verdict) {
        this.history = history;
        this.unpromised = unpromised;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            if (entry.is(What.REPLICATED)) {
                ends.computeIfAbsent(entry.op(), op -> new HashMap<>()).put(entry.note(), entry.until());
                last.put(entry.note(), entry.until());
            } else if (entry.is(What.SERVER_SHARED) && last.containsKey(entry.note())) {
                // The replica has the hold of a writer that becomes a reader.
                ends.computeIfAbsent(entry.op(), op -> new HashMap<>()).put(entry.note(), last.get(entry.note()));
            } else if (entry.is(What.GRANTED, What.HELD) && unpromised.isReplicated(entry.op())) {
                held(entry);
            }
        }
    }

    private void held(Entry entry) {
        if (history.isOver(entry)) {
            return;
        }
        verdict.judge(Rule.C15);
        long end = ends.getOrDefault(entry.op(), Map.of()).values().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
        if (end >= entry.until()) {
            return;
        }
        long from = history.began(entry.op());
        if (unpromised.leaseMayBeGone(entry.op(), entry.lock(), from, entry.at())
                || unpromised.clockMayHaveStood(entry.client(), from, entry.at())
                // By a clock that went back, the replica has the hold for longer.
                || history.steppedBack(from, entry.at())) {
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
