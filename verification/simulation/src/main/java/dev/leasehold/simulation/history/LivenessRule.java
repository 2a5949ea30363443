package dev.leasehold.simulation.history;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * C7: long after the end of all faults, every acquisition and release of a living client has ended, no hold is left
 * without a holder, and no key without an expiry. And no hold ever excludes others for longer than it was granted
 * for. A release that succeeds removes the hold, or another lease of the client has it.
 */
final class LivenessRule {

    private final History history;
    private final Verdict verdict;
    /** The operations that had a hold, by its id: several after a hand-off. */
    private final Map<String, Set<Integer>> had = new HashMap<>();
    /** The ids of holds that Redis or a fault removed. */
    private final Set<String> removed = new HashSet<>();

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
            } else if (entry.is(What.LEFT_BEHIND) && !lastsByASteppedClock(entry)) {
                verdict.violate(Rule.C7, entry.at(), entry.lock(), entry.note());
            }
            if (entry.is(What.TOO_LONG)) {
                verdict.violate(
                        Rule.C7,
                        entry.at(),
                        entry.lock(),
                        "the hold of op " + entry.op() + " excludes others for longer than any caller was promised");
            }
            if (entry.is(What.SERVER_GRANTED)) {
                had.computeIfAbsent(entry.note(), id -> new HashSet<>()).add(entry.op());
            } else if (entry.is(What.SERVER_RELEASED, What.SERVER_GONE, What.SERVER_RESUMED)) {
                removed.add(entry.note());
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
        if (outcome == null && outlasts(invoked.lock())) {
            return;
        }
        if (outcome == null) {
            verdict.violate(Rule.C7, invoked.at(), invoked.lock(), "op " + invoked.op() + " never ended");
        } else if (outcome.is(What.GRANTED) && released == null) {
            verdict.violate(Rule.C7, invoked.at(), invoked.lock(), "op " + invoked.op() + " was never released");
        } else if (released != null
                && released.is(What.RELEASED)
                && released.note().isEmpty()) {
            freed(op, released, healed);
        }
    }

    /** Returns whether a latch, whose end a clock that stepped back postpones, has not expired by the end of the history. */
    private boolean outlasts(String lock) {
        Entry last = null;
        for (Entry entry : history.entries()) {
            boolean known = entry.is(What.SERVER_SET, What.SERVER_KNOWN);
            last = known && entry.lock().equals(lock) && entry.ofLatch() ? entry : last;
        }
        return last != null && last.until() > history.end();
    }

    /**
     * Returns whether it is a plain lock under a clock that stepped back since: Redis ends such a key by its clock alone, and no script
     * finds out that its end lies too far ahead.
     */
    private boolean lastsByASteppedClock(Entry left) {
        String lock = left.note().substring(left.note().lastIndexOf(' ') + 1);
        return history.entries().stream()
                .filter(entry -> entry.ofPlain() && entry.lock().equals(lock) && entry.is(What.SERVER_GRANTED))
                .reduce((earlier, later) -> later)
                .filter(granted -> history.steppedBack(granted.at()))
                .isPresent();
    }

    private void freed(List<Entry> op, Entry released, long healed) {
        Entry began = History.first(op, What.RELEASE_INVOKED);
        // The hold of an exported lease stands when its former holder closes it, and one with a minimum until that is
        // over.
        if (began == null || began.at() < healed || History.first(op, What.EXPORTED, What.SERVER_KEPT) != null) {
            return;
        }
        Entry hold = null;
        for (Entry entry : op) {
            boolean ofThis = entry.is(What.SERVER_GRANTED, What.SERVER_RENEWED)
                    && entry.lock().equals(released.lock());
            hold = ofThis && entry.at() <= released.at() ? entry : hold;
        }
        // The request to release a retained hold may be lost in a connection that has become silent.
        if (hold != null
                && history.count(began.at(), hold.until(), fault -> fault.note().equals("CONNECTION_SILENT")) == 0
                && hold.until() > released.at()
                && !removed.contains(hold.note())
                && had.getOrDefault(hold.note(), Set.of()).size() == 1) {
            verdict.violate(
                    Rule.C7,
                    released.at(),
                    released.lock(),
                    "op " + released.op() + " was released, as its caller learned, and Redis kept the hold");
        }
    }
}
