package dev.leasehold.simulation.history;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * C4: the token rises with every change of the holders of a name, in the order in which Redis granted. Holds of one named
 * owner at the same time share theirs.
 */
final class TokenRule {

    private final History history;
    private final Unpromised unpromised;
    private final Verdict verdict;
    private final Map<String, Entry> last = new HashMap<>();
    private final Map<String, Entry> given = new HashMap<>();
    private final Map<String, Long> tokens = new HashMap<>();
    private final Map<Integer, Set<Long>> ofOp = new HashMap<>();

    TokenRule(History history, Unpromised unpromised, Verdict verdict) {
        this.history = history;
        this.unpromised = unpromised;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            if (entry.is(What.SERVER_GRANTED)) {
                ofOp.computeIfAbsent(entry.op(), op -> new HashSet<>()).add(entry.token());
                Long before = tokens.put(entry.note(), entry.token());
                if (before == null || before != entry.token()) {
                    granted(entry);
                }
            } else if (entry.is(What.GRANTED)
                    && !ofOp.getOrDefault(entry.op(), Set.of()).contains(entry.token())) {
                verdict.violate(
                        Rule.C4, entry.at(), entry.lock(), "op " + entry.op() + " has a token that Redis did not give");
            }
        }
    }

    private void granted(Entry entry) {
        Entry before = last.get(entry.lock());
        if (before != null) {
            verdict.judge(Rule.C4);
            boolean shared = before.sameOwner(entry) && entry.token() == before.token();
            if (entry.token() <= before.token() && !shared) {
                if (unpromised.tokensMayRegress(entry.lock(), entry.at()) || entersOldHold(entry, before)) {
                    verdict.waive(Rule.C4);
                } else {
                    verdict.violate(
                            Rule.C4,
                            entry.at(),
                            entry.lock(),
                            "op " + entry.op() + " got " + entry.token() + " after op " + before.op() + " had got "
                                    + before.token());
                }
            }
        }
        last.put(entry.lock(), entry);
        given.computeIfAbsent(entry.lock() + ' ' + entry.token(), token -> entry);
    }

    /** Lost data can bring an ended hold of a named owner back; who enters with that owner shares its old token. */
    private boolean entersOldHold(Entry entry, Entry before) {
        Entry old = given.get(entry.lock() + ' ' + entry.token());
        return old != null
                && old.sameOwner(entry)
                && entry.token() < before.token()
                && unpromised.holdMayBeGone(entry.lock(), old.at(), entry.at());
    }
}
