package dev.leasehold.simulation.history;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * C9: a hold that an acquisition took without its caller getting it, or after its release, is released and never
 * renewed, and an acquisition that reported to have taken nothing has taken nothing.
 */
final class UnknownRule {

    private static final long TURN_NANOS = 60_000_000;
    /** A request that waits for a replica may be on its way for so much longer. */
    private static final long LONGEST_WITHIN_NANOS = 300_000_000;

    private static final long LONGEST_RETRY_NANOS = 2_500_000_000L;

    private final History history;
    private final Verdict verdict;
    private final long commandNanos;

    UnknownRule(History history, Verdict verdict, long commandNanos) {
        this.history = history;
        this.verdict = verdict;
        this.commandNanos = commandNanos;
    }

    void check() {
        for (List<Entry> op : history.operations()) {
            Entry invoked = History.first(op, What.INVOKED);
            Entry outcome = History.first(op, What.BUSY, What.UNAVAILABLE, What.REFUSED, What.CANCELLED);
            if (invoked != null && outcome != null && History.first(op, What.GRANTED) == null) {
                undelivered(op, invoked, outcome);
            }
            Entry released = History.first(op, What.RELEASE_INVOKED);
            if (invoked != null && released != null && released.ofPlain()) {
                takenAgain(op, invoked, released);
            }
        }
    }

    /** Checks a plain lock, for which Redis keeps no released ids: a late copy takes it, and must be released. */
    private void takenAgain(List<Entry> op, Entry invoked, Entry released) {
        for (Entry entry : op.subList(op.indexOf(released), op.size())) {
            if (entry.is(What.SERVER_GRANTED)) {
                verdict.judge(Rule.C9);
                givenBack(op, invoked, released, entry);
            }
        }
    }

    private void undelivered(List<Entry> op, Entry invoked, Entry outcome) {
        Map<String, Entry> there = new HashMap<>();
        boolean over = false;
        for (Entry entry : op) {
            if (entry.equals(outcome)) {
                over = true;
                heldAtTheEnd(there, invoked, outcome);
            } else if (entry.is(What.SERVER_GRANTED)) {
                there.put(entry.note(), entry);
                verdict.judge(Rule.C9);
                if (over && outcome.note().equals("not")) {
                    violate(outcome, entry.at(), "was granted after it reported to hold nothing");
                }
                givenBack(op, invoked, outcome, entry);
            } else if (entry.is(What.SERVER_RELEASED, What.SERVER_GONE)) {
                there.remove(entry.note());
            }
        }
    }

    private void heldAtTheEnd(Map<String, Entry> there, Entry invoked, Entry outcome) {
        // An earlier attempt that got no answer may arrive late, after a later one was refused.
        boolean certain =
                outcome.note().equals("not") || (outcome.is(What.BUSY) && !history.faulty(invoked.at(), outcome.at()));
        for (Entry held : there.values()) {
            if (certain && held.until() > outcome.at()) {
                violate(outcome, outcome.at(), "reported to hold nothing, and holds");
            }
        }
    }

    /** Returns whether a reader that nobody received was a writer with a minimum, for which its hold stays. */
    private boolean keptForItsMinimum(List<Entry> op, Entry granted, long at) {
        if (History.first(op, What.SERVER_SHARED) == null) {
            return false;
        }
        for (List<Entry> other : history.operations()) {
            Entry began = History.first(other, What.SERVER_GRANTED);
            Entry minimum = History.first(other, What.HAS_MINIMUM);
            if (began != null
                    && minimum != null
                    && began.op() != granted.op()
                    && began.note().equals(granted.note())) {
                return began.at() + minimum.until() > at;
            }
        }
        return false;
    }

    private void givenBack(List<Entry> op, Entry invoked, Entry outcome, Entry granted) {
        long from = Math.max(outcome.at(), granted.at());
        if (keptForItsMinimum(op, granted, from)) {
            return;
        }
        long within = History.first(op, What.AWAITS_REPLICA) == null ? 0 : LONGEST_WITHIN_NANOS;
        long soon = from + commandNanos + within + TURN_NANOS;
        long later = soon + LONGEST_RETRY_NANOS;
        long due;
        // The time limit of copies is computed from an earlier answer, which a pause of the server may have
        // delayed.
        if (history.quiet(invoked.at()) && !history.faulty(invoked.at(), soon)) {
            due = soon;
        } else if (!history.faulty(outcome.at(), later)) {
            due = later;
        } else {
            return;
        }
        if (history.endOf(granted.client()) < due || history.end() < due) {
            return;
        }
        for (Entry entry : op) {
            if (entry.note().equals(granted.note())
                    && entry.is(What.SERVER_RELEASED, What.SERVER_GONE)
                    && entry.at() >= granted.at()
                    && entry.at() <= due) {
                return;
            }
        }
        if (granted.until() > due) {
            violate(outcome, due, "was granted, has no holder, and is not released");
        }
    }

    private void violate(Entry outcome, long at, String text) {
        verdict.violate(Rule.C9, at, outcome.lock(), "op " + outcome.op() + " " + text);
    }
}
