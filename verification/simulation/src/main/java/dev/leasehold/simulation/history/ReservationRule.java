package dev.leasehold.simulation.history;

import java.util.HashMap;
import java.util.Map;

/** C8, for plain locks: in quiet times, the holder of a long hold is followed by the first of the queue. */
final class ReservationRule {

    private final History history;
    private final Verdict verdict;
    private final Map<String, Entry> kept = new HashMap<>();

    ReservationRule(History history, Verdict verdict) {
        this.history = history;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            switch (entry.what()) {
                case SERVER_RESERVED -> kept.put(entry.lock(), entry);
                case SERVER_LEFT -> kept.remove(entry.lock());
                case SERVER_GRANTED -> granted(entry);
                default -> {}
            }
        }
    }

    private void granted(Entry entry) {
        if (!history.firstOfHold(entry).equals(entry)) {
            return;
        }
        Entry reserved = kept.remove(entry.lock());
        if (reserved == null
                || entry.at() >= reserved.until()
                || history.endOf(reserved.client()) <= entry.at()
                || !history.quiet(entry.at())) {
            return;
        }
        verdict.judge(Rule.C8);
        if (entry.client() != reserved.client()) {
            verdict.violate(
                    Rule.C8,
                    entry.at(),
                    entry.lock(),
                    "op " + entry.op() + " was granted before client " + reserved.client()
                            + ", the first of the queue at position " + reserved.token());
        }
    }
}
