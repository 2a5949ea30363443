package dev.leasehold.simulation.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * C19: a request of an operator, which is not idempotent, has no effect after its caller gave up: a late copy takes no lock from a
 * later holder, and does not undo a later change of the number of permits.
 */
final class OperatorRule {

    /** The client's estimate of the clock of Redis may differ by so much. */
    private static final long CLOCKS = 200_000_000;

    /** By more, if in so long a time before the call Redis' clock stepped back, or requests were late. */
    private static final long SEEN = 10_000_000_000L;

    private final History history;
    private final Verdict verdict;
    private final Map<String, List<Entry>> calls = new HashMap<>();

    OperatorRule(History history, Verdict verdict) {
        this.history = history;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            switch (entry.what()) {
                case FORCES, CHANGES_PERMITS -> of(entry.what(), entry.lock()).add(entry);
                case SERVER_FORCED -> judge(entry, What.FORCES, "was taken from its holders");
                case SERVER_CHANGED -> judge(entry, What.CHANGES_PERMITS, "got another number of permits");
                default -> {}
            }
        }
    }

    private List<Entry> of(What call, String lock) {
        return calls.computeIfAbsent(call + " " + lock, key -> new ArrayList<>());
    }

    private void judge(Entry entry, What call, String effect) {
        verdict.judge(Rule.C19);
        List<Entry> made = of(call, entry.lock());
        if (made.stream().noneMatch(one -> mayCount(one, entry.at()))) {
            long ended = made.stream().mapToLong(Entry::until).max().orElse(entry.at());
            verdict.violate(
                    Rule.C19,
                    entry.at(),
                    entry.lock(),
                    effect + " by a call that had ended " + (entry.at() - ended) / 1_000_000 + " ms before");
        }
    }

    /** Returns whether a call may have an effect at this moment. */
    private boolean mayCount(Entry call, long at) {
        long seen = call.at() - SEEN;
        return at <= call.until() + CLOCKS + history.suspended(call.client(), call.at(), at)
                || history.steppedBack(seen, at)
                || history.delayed(call.client(), seen, call.at() - 1);
    }
}
