package dev.leasehold.simulation.history;

import java.util.List;

/**
 * C8: an acquisition with a timeout ends within it, whatever Redis does; apart from the time its process was
 * stopped.
 */
final class WaitRule {

    private static final long TURN_NANOS = 8_000_000;

    private final History history;
    private final Verdict verdict;

    WaitRule(History history, Verdict verdict) {
        this.history = history;
        this.verdict = verdict;
    }

    void check() {
        for (List<Entry> op : history.operations()) {
            Entry invoked = History.first(op, What.INVOKED);
            Entry outcome = History.outcome(op);
            if (invoked == null || outcome == null || invoked.until() == 0) {
                continue;
            }
            verdict.judge(Rule.C8);
            long drift = (invoked.until() - invoked.at()) / 50 + TURN_NANOS;
            long due =
                    invoked.until() + drift + history.heldUp(invoked.client(), invoked.at(), outcome.at(), TURN_NANOS);
            if (outcome.at() > due) {
                verdict.violate(
                        Rule.C8,
                        outcome.at(),
                        invoked.lock(),
                        "op " + invoked.op() + " waited " + (outcome.at() - invoked.until()) / 1_000_000
                                + " ms longer than it may");
            }
        }
    }
}
