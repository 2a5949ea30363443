package dev.leasehold.simulation.history;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * C12: a hold is resumed once, and only if its holder exported it, with a higher token; it is never confirmed
 * again; and its former holder is notified at its next renewal. That no other client claims the lock meanwhile,
 * that the resource refuses the former holder and that a resume without an answer is released is checked as of any
 * lease (C1, C5, C9).
 */
final class ResumeRule {

    private static final long RECENT_NANOS = 2_000_000_000;

    private final History history;
    private final Unpromised unpromised;
    private final Verdict verdict;
    private final Map<String, Entry> taken = new HashMap<>();
    /** The holds that their clients retained. */
    private final Set<String> retained = new HashSet<>();

    ResumeRule(History history, Unpromised unpromised, Verdict verdict) {
        this.history = history;
        this.unpromised = unpromised;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            if (entry.is(What.SERVER_RESUMED)) {
                verdict.judge(Rule.C12);
                again(entry, "was resumed twice");
                resumed(entry);
                taken.put(entry.note(), entry);
            } else if (entry.is(What.SERVER_RETAINED)) {
                retained.add(entry.note());
            } else if (entry.is(What.EXPORTED)) {
                lasts(entry);
            } else if (entry.is(What.SERVER_RENEWED)) {
                again(entry, "was confirmed after it had been resumed");
            }
        }
    }

    /** Checks that a lease that took over a retained hold does not end with that when it is exported. */
    private void lasts(Entry exported) {
        Entry hold = null;
        for (Entry one : history.of(exported.op())) {
            hold = one.is(What.SERVER_GRANTED, What.SERVER_RENEWED) && one.at() <= exported.at() ? one : hold;
        }
        if (hold == null
                || exported.until() == 0
                || !retained.contains(hold.note())
                || !history.undisturbed(exported.client(), exported.at() - RECENT_NANOS, exported.at())) {
            return;
        }
        verdict.judge(Rule.C12);
        long left = hold.until() - exported.at();
        if (left < exported.until() - History.SLOW) {
            violate(exported, "was exported and lasts for " + left / 1_000_000 + " ms");
        }
    }

    private void again(Entry entry, String text) {
        Entry before = taken.get(entry.note());
        if (before != null && !unpromised.notesMayBeGone(entry.lock(), before.at(), entry.at())) {
            violate(entry, text);
        }
    }

    private void resumed(Entry entry) {
        List<Entry> op = history.of(entry.op());
        Entry exported = History.first(op, What.EXPORTED);
        if (exported == null || exported.at() > entry.at()) {
            violate(entry, "was resumed, and its holder had not exported it");
            return;
        }
        Entry higher = null;
        for (Entry one : op) {
            if (one.is(What.SERVER_GONE) && one.at() <= entry.at()) {
                // The grant was lost with the data, and its token with it.
                higher = null;
            } else if (one.is(What.SERVER_GRANTED) && one.at() <= entry.at() && one.token() >= entry.token()) {
                // A late copy of the acquire may be granted again after a step back of the clock, which then has a
                // higher one.
                higher = one;
            }
        }
        if (higher != null) {
            violate(entry, "was resumed with token " + entry.token() + ", and had " + higher.token());
        }
        Entry granted = History.first(op, What.GRANTED);
        long due = entry.at() + exported.until() + History.SLOW;
        Entry over = History.first(op, What.LOST, What.RELEASE_INVOKED);
        if (exported.until() == 0 || granted == null || !history.undisturbed(entry.client(), granted.at(), due)) {
            return;
        }
        verdict.judge(Rule.C12);
        if (over == null || over.at() > due) {
            violate(entry, "was resumed, and its holder was not notified");
        }
    }

    private void violate(Entry entry, String text) {
        verdict.violate(Rule.C12, entry.at(), entry.lock(), "the hold of op " + entry.op() + " " + text);
    }
}
