package dev.leasehold.simulation.history;

import java.util.HashMap;
import java.util.Map;

/** C6: an acquisition takes effect once: repeats find the hold unchanged, and have no effect after its release. */
final class OnceRule {

    /** Redis counts in microseconds. */
    private static final long ROUNDING_NANOS = 2_000;

    /** The expiry of a key is in milliseconds. */
    private static final long ROUNDING_PLAIN_NANOS = 1_000_000;

    private final History history;
    private final Unpromised unpromised;
    private final Verdict verdict;
    private final Map<String, Entry> last = new HashMap<>();
    private final Map<String, Long> first = new HashMap<>();

    OnceRule(History history, Unpromised unpromised, Verdict verdict) {
        this.history = history;
        this.unpromised = unpromised;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            if (entry.is(What.SERVER_GRANTED)) {
                repeated(entry, last.get(entry.note()));
                first.putIfAbsent(entry.note(), entry.at());
            }
            if (entry.is(What.SERVER_GRANTED, What.SERVER_RENEWED, What.SERVER_RELEASED, What.SERVER_GONE)) {
                last.put(entry.note(), entry);
            }
        }
    }

    private static long rounding(Entry entry) {
        return entry.ofPlain() ? ROUNDING_PLAIN_NANOS : ROUNDING_NANOS;
    }

    private void repeated(Entry entry, @org.jspecify.annotations.Nullable Entry before) {
        if (before == null) {
            return;
        }
        verdict.judge(Rule.C6);
        long from = first.getOrDefault(entry.note(), 0L);
        if (unpromised.notesMayBeGone(entry.lock(), from, entry.at())
                || unpromised.holdMayBeGone(entry.lock(), from, entry.at())) {
            return;
        }
        if (before.is(What.SERVER_RELEASED) && !entry.ofPlain()) {
            verdict.violate(
                    Rule.C6, entry.at(), entry.lock(), "op " + entry.op() + " was granted again after its release");
        } else if (before.until() > entry.at() && entry.until() > before.until() + rounding(entry)) {
            // A caller that still waits may acquire again after its hold has ended.
            verdict.violate(
                    Rule.C6, entry.at(), entry.lock(), "a repeat of op " + entry.op() + " moved the end of its hold");
        }
    }
}
