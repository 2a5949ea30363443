package dev.leasehold.simulation.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * C13: who holds a lock when Redis takes a request to release it hears of it once, by its next renewal; nobody else does. A
 * request is about a hold in Redis, so whoever is handed that hold within the client hears of it, too, as does a named owner
 * that enters again.
 */
final class RequestRule {

    private final History history;
    private final Verdict verdict;
    private final Map<String, List<Entry>> asked = new HashMap<>();
    private final Set<Integer> heard = new HashSet<>();

    RequestRule(History history, Verdict verdict) {
        this.history = history;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            if (entry.is(What.SERVER_ASKED)) {
                asked.computeIfAbsent(entry.lock(), lock -> new ArrayList<>()).add(entry);
                inTime(entry);
            } else if (entry.is(What.ASKED)) {
                heard(entry);
            }
        }
    }

    private void heard(Entry entry) {
        verdict.judge(Rule.C13);
        if (!heard.add(entry.op())) {
            violate(entry, "heard twice that it is asked to release");
        }
        Set<String> holds = new HashSet<>();
        for (Entry one : history.of(entry.op())) {
            if (one.is(What.SERVER_GRANTED)) {
                holds.add(one.note());
            }
        }
        boolean meant = asked.getOrDefault(entry.lock(), List.of()).stream()
                .anyMatch(one -> holds.contains(one.note()) || one.sameOwner(entry));
        if (!meant) {
            violate(entry, "heard of a request that was not about its hold");
        }
    }

    private void inTime(Entry entry) {
        List<Entry> op = history.of(entry.op());
        Entry listens = History.first(op, What.LISTENS);
        if (listens == null || listens.until() == 0) {
            return;
        }
        long from = Math.max(entry.at(), listens.at());
        long due = from + listens.until() + History.SLOW;
        Entry over = History.first(op, What.LOST, What.RELEASE_INVOKED, What.SERVER_RESUMED);
        if ((over != null && over.at() <= due) || !history.undisturbed(entry.client(), listens.at(), due)) {
            return;
        }
        verdict.judge(Rule.C13);
        Entry told = History.first(op, What.ASKED);
        if (told == null || told.at() > due) {
            violate(entry, "holds and renews, and did not hear that it is asked to release");
        }
    }

    private void violate(Entry entry, String text) {
        verdict.violate(Rule.C13, entry.at(), entry.lock(), "op " + entry.op() + " " + text);
    }
}
