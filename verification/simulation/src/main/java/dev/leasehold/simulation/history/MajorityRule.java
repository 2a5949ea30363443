package dev.leasehold.simulation.history;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * C16: the loss of a minority of the servers costs no lease that is renewed; and once all faults are over, and each server counts
 * again, a majority answers each acquisition.
 */
public final class MajorityRule {

    /** The note of a lease that is renewed for as long as it is held. */
    public static final String RENEWED = "renewed";

    /** After so long a server counts again: the longest lease, and the time by which its clock may have stepped back. */
    private static final long COUNTS_AGAIN = 6_000_000_000L;

    /** A server whose grant came late counts after the next renewal, and that takes less than so long. */
    private static final long RENEWED_ONCE = 2_500_000_000L;

    /** A wait may end before the answers to its last try arrive. */
    private static final long LAST_TRY = 200_000_000;

    private final History history;
    private final Setting setting;
    private final Verdict verdict;

    MajorityRule(History history, Setting setting, Verdict verdict) {
        this.history = history;
        this.setting = setting;
        this.verdict = verdict;
    }

    void check() {
        long healed = history.entries().stream()
                .filter(entry -> entry.is(What.HEALED))
                .mapToLong(Entry::at)
                .findFirst()
                .orElse(Long.MAX_VALUE - COUNTS_AGAIN);
        for (List<Entry> op : history.operations()) {
            Entry invoked = History.first(op, What.INVOKED);
            if (invoked == null) {
                continue;
            }
            if (invoked.at() > healed + COUNTS_AGAIN) {
                answered(op, invoked);
            }
            Entry granted = History.first(op, What.GRANTED);
            if (granted != null && granted.note().equals(RENEWED)) {
                kept(op, invoked, granted);
            }
        }
    }

    private void answered(List<Entry> op, Entry invoked) {
        Entry outcome = History.outcome(op);
        if (outcome != null && decidedInTime(invoked, outcome)) {
            verdict.judge(Rule.C16);
            if (outcome.is(What.UNAVAILABLE)) {
                violate(outcome, "found no majority, though all servers answer");
            }
        }
    }

    /** Returns whether the client lived, and the wait did not end just when its last try was sent. */
    private boolean decidedInTime(Entry invoked, Entry outcome) {
        return history.endOf(invoked.client()) > outcome.at()
                && (invoked.until() == 0 || outcome.at() < invoked.until() - LAST_TRY);
    }

    private void kept(List<Entry> op, Entry invoked, Entry granted) {
        Entry over = History.first(op, What.LOST, What.RELEASE_INVOKED);
        if (over == null || !onlyMinorityStruck(invoked, granted, over.at())) {
            return;
        }
        verdict.judge(Rule.C16);
        if (over.is(What.LOST)) {
            violate(over, "was lost, though only a minority of the servers was struck");
        }
    }

    /** Returns whether faults struck some servers, but no majority, and neither the client nor its requests. */
    private boolean onlyMinorityStruck(Entry invoked, Entry granted, long to) {
        Set<String> struck = new HashSet<>();
        for (Entry fault : history.faults()) {
            if (fault.at() > to || Math.max(fault.at(), fault.until()) < invoked.at() - COUNTS_AGAIN) {
                continue;
            }
            if (fault.client() == invoked.client()) {
                return false;
            }
            if (fault.client() < 0) {
                struck.add(fault.owner());
                if (fault.at() > invoked.at() && fault.at() < granted.at() + RENEWED_ONCE) {
                    return false;
                }
            }
        }
        return !struck.isEmpty() && !setting.isMajority(struck.size());
    }

    private void violate(Entry at, String text) {
        verdict.violate(Rule.C16, at.at(), at.lock(), "op " + at.op() + " " + text);
    }
}
