package dev.leasehold.simulation.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * C18: Redis grants a lock to nobody else before the minimum hold of its last lease is over, though that was released.
 */
final class MinimumRule {

    /** Clocks differ by 1 % and 2 ms (condition C-2). */
    private static final double DRIFT = 0.98;

    private static final long MARGIN_NANOS = 2_000_000;

    private final History history;
    private final Unpromised unpromised;
    private final Verdict verdict;
    private final Map<String, List<Entry>> grants = new HashMap<>();

    MinimumRule(History history, Unpromised unpromised, Verdict verdict) {
        this.history = history;
        this.unpromised = unpromised;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            if (entry.is(What.SERVER_GRANTED)) {
                grants.computeIfAbsent(entry.lock(), lock -> new ArrayList<>()).add(entry);
            }
        }
        for (List<Entry> op : history.operations()) {
            Entry invoked = History.first(op, What.INVOKED);
            Entry minimum = History.first(op, What.HAS_MINIMUM);
            Entry released = History.first(op, What.RELEASED);
            if (invoked != null
                    && minimum != null
                    && released != null
                    && released.note().isEmpty()
                    && History.first(op, What.EXPORTED) == null) {
                judge(invoked, released, invoked.at() + (long) (minimum.until() * DRIFT) - MARGIN_NANOS);
            }
        }
    }

    private void judge(Entry invoked, Entry released, long end) {
        if (released.at() >= end) {
            return;
        }
        verdict.judge(Rule.C18);
        for (Entry other : grants.getOrDefault(invoked.lock(), List.of())) {
            // Readers may join a writer that became a reader before its minimum was over.
            boolean joins =
                    other.owner().equals(Entry.READERS) && invoked.owner().equals(Entry.READERS);
            if (other.op() != invoked.op() && !joins && other.at() > released.at() && other.at() < end) {
                granted(invoked, other, end);
                return;
            }
        }
    }

    private void granted(Entry invoked, Entry other, long end) {
        // A client hands off a hold that Redis has lost until it learns of that.
        long from =
                Math.min(history.began(invoked.op()), history.firstOfHold(other).at());
        if (unpromised.holdMayBeGone(invoked.lock(), from, other.at())) {
            verdict.waive(Rule.C18);
        } else {
            verdict.violate(
                    Rule.C18,
                    other.at(),
                    other.lock(),
                    "op " + other.op() + " was granted " + (end - other.at()) / 1_000_000
                            + " ms before the minimum hold of op " + invoked.op() + " was over");
        }
    }
}
