package dev.leasehold.simulation.history;

import java.util.HashMap;
import java.util.Map;

/**
 * C4 for a quorum: tokens rise from holder to holder. A server that lost its data has only its clock: if one of these is behind the
 * last token, the next may be lower.
 */
final class QuorumTokenRule {

    private final History history;
    private final Verdict verdict;
    private final Map<String, Entry> last = new HashMap<>();

    QuorumTokenRule(History history, Verdict verdict) {
        this.history = history;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            if (entry.is(What.GRANTED)) {
                Entry before = last.put(entry.lock(), entry);
                if (before != null) {
                    granted(entry, before);
                }
            }
        }
    }

    private void granted(Entry entry, Entry before) {
        verdict.judge(Rule.C4);
        if (entry.token() > before.token()) {
            return;
        }
        if (clockIsBehind(entry, before) && forgot(entry.at())) {
            verdict.waive(Rule.C4);
        } else {
            verdict.violate(
                    Rule.C4,
                    entry.at(),
                    entry.lock(),
                    "op " + entry.op() + " got " + entry.token() + " after op " + before.op() + " had got "
                            + before.token());
        }
    }

    /** Returns whether, while the lock was acquired, a server may have had a TIME that is not above the last token. */
    private boolean clockIsBehind(Entry entry, Entry before) {
        Entry invoked = History.first(history.of(entry.op()), What.INVOKED);
        return invoked == null || invoked.token() <= before.token() || history.steppedBack(invoked.at(), entry.at());
    }

    private boolean forgot(long until) {
        return history.faults().stream().anyMatch(fault -> fault.at() <= until && Unpromised.losesData(fault.note()));
    }
}
