package dev.leasehold.simulation.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * C2: as long as a lease reports to be held, it is held in Redis. Lost and released leases never report so again.
 * Writes that holders make on that report to a witness that checks nothing are never undone by others.
 */
final class UseRule {

    private final History history;
    private final Unpromised unpromised;
    private final Verdict verdict;
    private final Map<Integer, Map<String, Long>> ends = new HashMap<>();
    private final Set<Integer> over = new HashSet<>();
    private final Map<Integer, Integer> seen = new HashMap<>();
    private final Map<String, List<Entry>> writes = new HashMap<>();

    UseRule(History history, Unpromised unpromised, Verdict verdict) {
        this.history = history;
        this.unpromised = unpromised;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            switch (entry.what()) {
                case SERVER_GRANTED, SERVER_RENEWED, SERVER_RELEASED, SERVER_GONE ->
                    ends.computeIfAbsent(entry.op(), op -> new HashMap<>()).put(entry.note(), entry.until());
                case LOST, RELEASE_INVOKED -> over.add(entry.op());
                case GRANTED, HELD -> held(entry);
                case THREW ->
                    verdict.violate(
                            Rule.C2, entry.at(), entry.lock(), "op " + entry.op() + " was held and ensureHeld threw");
                case SERVER_MISREPORTED ->
                    verdict.violate(
                            Rule.C2,
                            entry.at(),
                            entry.lock(),
                            "op " + entry.op() + " learned of a hold that does not exist");
                case WITNESS_READ -> seen.put(entry.op(), written(entry).size());
                case WITNESS_WROTE -> wrote(entry);
                default -> {}
            }
        }
    }

    private void held(Entry entry) {
        if (history.isOver(entry)) {
            return;
        }
        verdict.judge(Rule.C2);
        if (over.contains(entry.op())) {
            verdict.violate(
                    Rule.C2, entry.at(), entry.lock(), "op " + entry.op() + " reports held after its release or loss");
            return;
        }
        long end = 0;
        for (long one : ends.getOrDefault(entry.op(), Map.of()).values()) {
            end = Math.max(end, one);
        }
        if (end < entry.until()) {
            judge(
                    entry,
                    "op " + entry.op() + " reports held until " + entry.until() / 1_000_000
                            + " ms, and Redis holds it until " + end / 1_000_000 + " ms");
        }
    }

    private void judge(Entry entry, String text) {
        long from = history.began(entry.op());
        if (unpromised.leaseMayBeGone(entry.op(), entry.lock(), from, entry.at())
                || unpromised.clockMayHaveStood(entry.client(), from, entry.at())) {
            verdict.waive(Rule.C2);
        } else {
            verdict.violate(Rule.C2, entry.at(), entry.lock(), text);
        }
    }

    private List<Entry> written(Entry entry) {
        return writes.computeIfAbsent(entry.lock(), lock -> new ArrayList<>());
    }

    private void wrote(Entry entry) {
        List<Entry> all = written(entry);
        Integer from = seen.get(entry.op());
        if (from != null) {
            verdict.judge(Rule.C2);
            for (Entry other : all.subList(from, all.size())) {
                if (!other.sameOwner(entry)) {
                    bothWrote(entry, other);
                }
            }
        }
        all.add(entry);
    }

    private void bothWrote(Entry entry, Entry other) {
        long from = history.began(other.op());
        if (unpromised.leaseMayBeGone(other.op(), other.lock(), from, entry.at())
                || unpromised.clockMayHaveStood(other.client(), from, entry.at())) {
            verdict.waive(Rule.C2);
        } else {
            judge(entry, "op " + entry.op() + " overwrote what op " + other.op() + " wrote after it had read");
        }
    }
}
