package dev.leasehold.simulation.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * C5: the writes that the fenced register accepted. Tokens never go down, and no accepted write of a holder that
 * has read overwrites an accepted write of another owner that it has not seen.
 */
final class ResourceRule {

    private final History history;
    private final Unpromised unpromised;
    private final Verdict verdict;
    private final Map<String, Long> highest = new HashMap<>();
    private final Map<String, List<Entry>> writes = new HashMap<>();
    private final Map<Integer, Integer> seen = new HashMap<>();

    ResourceRule(History history, Unpromised unpromised, Verdict verdict) {
        this.history = history;
        this.unpromised = unpromised;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            if (!entry.hasTokens()) {
                // Without tokens holders cannot be distinguished.
                continue;
            }
            if (entry.is(What.READ, What.WROTE) && entry.note().equals("accepted")) {
                accepted(entry);
            } else if (entry.is(What.WROTE)) {
                verdict.judge(Rule.C5);
            }
        }
    }

    private void accepted(Entry entry) {
        long before = highest.getOrDefault(entry.lock(), 0L);
        if (entry.token() < before) {
            verdict.violate(
                    Rule.C5, entry.at(), entry.lock(), "token " + entry.token() + " was accepted after " + before);
        }
        highest.put(entry.lock(), Math.max(before, entry.token()));
        List<Entry> all = writes.computeIfAbsent(entry.lock(), lock -> new ArrayList<>());
        if (entry.is(What.READ)) {
            seen.put(entry.op(), all.size());
            return;
        }
        verdict.judge(Rule.C5);
        Integer from = seen.get(entry.op());
        if (from != null) {
            for (Entry other : all.subList(from, all.size())) {
                if (!other.sameOwner(entry)) {
                    lostUpdate(entry, other);
                }
            }
        }
        all.add(entry);
    }

    private void lostUpdate(Entry entry, Entry other) {
        if (unpromised.tokensMayRegress(entry.lock(), other, entry.at(), entry.at())) {
            verdict.waive(Rule.C5);
            return;
        }
        verdict.violate(
                Rule.C5,
                entry.at(),
                entry.lock(),
                "the write of op " + entry.op() + " overwrites that of op " + other.op() + ", which it has not seen");
    }
}
