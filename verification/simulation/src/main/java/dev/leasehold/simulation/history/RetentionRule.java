package dev.leasehold.simulation.history;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * C14: after a client was asked to release a lock that it retains, no further lease takes the hold over: not once it received the
 * request, and, if that was lost, not after the time for which it was to retain the hold. If others of
 * the client waited when a lease that used the hold was released, it is handed off, which a request to release does not end: one of
 * those that waited may have asked.
 */
final class RetentionRule {

    /** Clocks differ by 1 % and 2 ms (condition C-2), and a request is on its way. */
    private static final double DRIFT = 1.02;

    private static final long MARGIN_NANOS = 5_000_000;

    private final History history;
    private final Verdict verdict;
    /** By acquisition id: the time for which the hold is retained, and until when a lease may take it over. */
    private final Map<String, Long> spans = new HashMap<>();

    private final Map<String, Long> until = new HashMap<>();
    /** By client and lock: the id of the hold that is retained. */
    private final Map<String, String> retained = new HashMap<>();
    /** By operation: the hold that it has. */
    private final Map<Integer, String> holds = new HashMap<>();
    /** By client and lock: the operations that wait. */
    private final Map<String, Set<Integer>> waiting = new HashMap<>();
    /** The holds whose last lease was released while others of its client waited. */
    private final Set<String> handedOff = new HashSet<>();

    RetentionRule(History history, Verdict verdict) {
        this.history = history;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            String lock = entry.client() + " " + entry.lock();
            switch (entry.what()) {
                case SERVER_RETAINED -> {
                    spans.put(entry.note(), entry.until() - entry.at());
                    until.remove(entry.note());
                    retained.put(lock, entry.note());
                }
                case SERVER_WENT_ON, SERVER_SHARED -> {
                    // From here on it is a hand-off to a waiter of the client, which Redis knows of, or a hold of
                    // readers, who join it.
                    until.remove(entry.note());
                    retained.remove(lock, entry.note());
                }
                case SERVER_ASKED -> {
                    long span = spans.getOrDefault(entry.note(), 0L);
                    until.putIfAbsent(entry.note(), entry.at() + (long) (span * DRIFT) + MARGIN_NANOS);
                }
                case HEARD -> {
                    String id = retained.get(lock);
                    if (id != null) {
                        until.put(id, entry.at());
                    }
                }
                case INVOKED ->
                    waiting.computeIfAbsent(lock, name -> new HashSet<>()).add(entry.op());
                case GRANTED, BUSY, UNAVAILABLE, REFUSED, CANCELLED ->
                    waiting.computeIfAbsent(lock, name -> new HashSet<>()).remove(entry.op());
                case RELEASE_INVOKED -> released(entry, lock);
                case SERVER_GRANTED -> {
                    granted(entry);
                    holds.put(entry.op(), entry.note());
                }
                default -> {}
            }
        }
    }

    private void released(Entry entry, String lock) {
        String hold = holds.getOrDefault(entry.op(), "");
        if (waiting.getOrDefault(lock, Set.of()).isEmpty()) {
            handedOff.remove(hold);
        } else {
            handedOff.add(hold);
        }
    }

    private void granted(Entry entry) {
        Long last = until.get(entry.note());
        // A late copy of the request that began the hold takes nothing over: a server whose clock is behind executes it
        // again.
        if (history.firstOfHold(entry).op() != entry.op() && spans.containsKey(entry.note())) {
            verdict.judge(Rule.C14);
            if (last != null && entry.at() > last && !handedOff.contains(entry.note())) {
                verdict.violate(
                        Rule.C14,
                        entry.at(),
                        entry.lock(),
                        "op " + entry.op() + " took over a hold that its client was to release");
            }
        }
    }
}
