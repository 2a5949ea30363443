package dev.leasehold.simulation.history;

import java.util.List;

/**
 * C7: long after the end of all faults, every acquisition and release of a living client has ended, no hold is left
 * without a holder, and no key without an expiry. And no hold ever excludes others for longer than it was granted
 * for.
 */
final class LivenessRule {

    private final History history;
    private final Verdict verdict;

    LivenessRule(History history, Verdict verdict) {
        this.history = history;
        this.verdict = verdict;
    }

    void check() {
        long healed = Long.MAX_VALUE;
        boolean complete = false;
        for (Entry entry : history.entries()) {
            if (entry.is(What.HEALED)) {
                healed = entry.at();
            } else if (entry.is(What.LEFT_BEHIND)) {
                verdict.violate(Rule.C7, entry.at(), entry.lock(), entry.note());
            }
            if (entry.is(What.TOO_LONG)) {
                verdict.violate(
                        Rule.C7,
                        entry.at(),
                        entry.lock(),
                        "the hold of op " + entry.op() + " excludes others for longer than any caller was promised");
            }
            complete |= entry.is(What.ENDED) && entry.at() > healed;
        }
        if (complete) {
            for (List<Entry> op : history.operations()) {
                finished(op, healed);
            }
        }
    }

    private void finished(List<Entry> op, long healed) {
        Entry invoked = History.first(op, What.INVOKED);
        if (invoked == null || history.endOf(invoked.client()) != Long.MAX_VALUE) {
            return;
        }
        Entry outcome = History.outcome(op);
        Entry released = History.first(op, What.RELEASED, What.RELEASE_LOST);
        if (outcome == null || outcome.at() >= healed || (released != null && released.at() >= healed)) {
            verdict.judge(Rule.C7);
        }
        if (outcome == null) {
            verdict.violate(Rule.C7, invoked.at(), invoked.lock(), "op " + invoked.op() + " never ended");
        } else if (outcome.is(What.GRANTED) && released == null) {
            verdict.violate(Rule.C7, invoked.at(), invoked.lock(), "op " + invoked.op() + " was never released");
        }
    }
}
