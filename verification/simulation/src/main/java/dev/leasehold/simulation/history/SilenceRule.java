package dev.leasehold.simulation.history;

import java.util.HashMap;
import java.util.Map;

/**
 * C21: a client replaces a connection that is open but silent within its command timeout plus 1 s after the first request in vain,
 * however short the waits of its callers are.
 */
final class SilenceRule {

    private static final long MORE_NANOS = 1_000_000_000;

    /** Time for threads to be scheduled, and for the drift of the clocks. */
    private static final long TURN_NANOS = 50_000_000;

    private final History history;
    private final Verdict verdict;
    private final long mostNanos;
    /** The first request in vain over each connection that is still silent. */
    private final Map<String, Entry> asked = new HashMap<>();

    SilenceRule(History history, Verdict verdict, long commandNanos) {
        this.history = history;
        this.verdict = verdict;
        this.mostNanos = commandNanos + MORE_NANOS + TURN_NANOS;
    }

    void check() {
        for (Entry entry : history.entries()) {
            String connection = entry.client() + " " + entry.note();
            if (entry.is(What.ASKED_IN_VAIN)) {
                asked.putIfAbsent(connection, entry);
            } else if (entry.is(What.RECONNECTED)) {
                Entry first = asked.remove(connection);
                if (first != null) {
                    judge(first, entry.at());
                }
            }
        }
        asked.values().forEach(first -> judge(first, history.end()));
    }

    private void judge(Entry first, long replaced) {
        verdict.judge(Rule.C21);
        long until = Math.min(replaced, history.endOf(first.client()));
        long silent = until - first.at();
        if (silent > mostNanos + history.stopped(first.client(), first.at(), until)) {
            verdict.violate(
                    Rule.C21,
                    until,
                    "",
                    "client " + first.client() + " kept the connection of " + first.note() + ", which was silent for "
                            + silent / 1_000_000 + " ms after a request");
        }
    }
}
