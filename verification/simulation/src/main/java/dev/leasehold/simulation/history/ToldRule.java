package dev.leasehold.simulation.history;

import java.util.List;
import java.util.function.Predicate;

/**
 * C17: an acquisition that Redis granted ends soon, also if the answer was lost: each waiter asks again, whatever its
 * rank.
 */
final class ToldRule {

    /** A request that waits for a replica may be on its way for so much longer. */
    private static final long LONGEST_WITHIN_NANOS = 300_000_000;

    /** The longest pause after one failure. */
    private static final long RETRY_NANOS = 500_000_000;

    private static final Predicate<Entry> ANSWER_LOST = fault -> fault.note().equals("ANSWER_LOST");

    private final History history;
    private final Verdict verdict;
    private final long mostNanos;

    ToldRule(History history, Verdict verdict, long commandNanos) {
        this.history = history;
        this.verdict = verdict;
        this.mostNanos = commandNanos + LONGEST_WITHIN_NANOS + RETRY_NANOS + History.SLOW;
    }

    void check() {
        for (List<Entry> op : history.operations()) {
            Entry invoked = History.first(op, What.INVOKED);
            Entry granted = History.first(op, What.SERVER_GRANTED);
            if (invoked != null && granted != null && !invoked.note().equals(Entry.TOGETHER)) {
                judge(op, granted);
            }
        }
    }

    private void judge(List<Entry> op, Entry granted) {
        long due = granted.at() + mostNanos;
        Entry outcome = History.outcome(op);
        boolean gone = op.stream()
                .anyMatch(entry ->
                        entry.is(What.SERVER_GONE, What.SERVER_RELEASED, What.SERVER_RESUMED) && entry.at() <= due);
        if (outcome != null && outcome.at() <= due) {
            verdict.judge(Rule.C17);
        } else if (granted.until() > due && !gone && undisturbed(op, granted, due)) {
            verdict.violate(
                    Rule.C17,
                    due,
                    granted.lock(),
                    "op " + granted.op() + " was granted " + mostNanos / 1_000_000 + " ms ago, and still waits");
        }
    }

    /** Returns whether at most one answer was lost, and nothing else happened. */
    private boolean undisturbed(List<Entry> op, Entry granted, long due) {
        long from = granted.at() - History.SLOW;
        return !twoAnswersLost(op, granted, due)
                && history.endOf(granted.client()) > due
                && history.end() > due
                && history.stopped(granted.client(), from, due) == 0
                && history.count(from, due, ANSWER_LOST.negate()) == 0
                && history.count(from, due, ofClient(granted)) <= 1;
    }

    /** A fault may take the next answer long after it was set: two may take the answers to a request and to its repeat. */
    private boolean twoAnswersLost(List<Entry> op, Entry granted, long due) {
        long answers = op.stream()
                .filter(entry -> entry.is(What.SERVER_GRANTED) && entry.at() <= due)
                .count();
        return answers > 1 && history.count(0, due, ofClient(granted)) > 1;
    }

    private static Predicate<Entry> ofClient(Entry granted) {
        return ANSWER_LOST.and(fault -> fault.client() == granted.client());
    }
}
