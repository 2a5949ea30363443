package dev.leasehold.simulation.history;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** C8, too: in quiet times a fair queue is served in the order of its positions. */
final class TurnRule {

    private final History history;
    private final Verdict verdict;
    private final Map<Integer, Entry> positions = new HashMap<>();
    private final Set<Integer> over = new HashSet<>();

    TurnRule(History history, Verdict verdict) {
        this.history = history;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            switch (entry.what()) {
                case SERVER_QUEUED -> queued(entry);
                case SERVER_GRANTED -> granted(entry);
                case GRANTED, BUSY, UNAVAILABLE, REFUSED, CANCELLED -> over.add(entry.op());
                default -> {}
            }
        }
    }

    /** A position that is given again was lost with the data of a failover: who had it is behind. */
    private void queued(Entry entry) {
        positions
                .values()
                .removeIf(other -> other.op() != entry.op()
                        && other.lock().equals(entry.lock())
                        && other.token() == entry.token()
                        && (other.client() != entry.client() || fair(other)));
        positions.put(entry.op(), entry);
    }

    private boolean fair(Entry entry) {
        Entry invoked = History.first(history.of(entry.op()), What.INVOKED);
        return invoked != null && invoked.note().equals("fair");
    }

    private void granted(Entry entry) {
        Entry mine = positions.remove(entry.op());
        over.add(entry.op());
        // A named owner acquires its own hold reentrantly, past all others.
        boolean named = !entry.owner().isEmpty() && !entry.ofPermits();
        if (!fair(entry) || named || !history.quiet(entry.at())) {
            return;
        }
        long place = mine == null ? Long.MAX_VALUE : mine.token();
        verdict.judge(Rule.C8);
        for (Entry other : positions.values()) {
            if (other.lock().equals(entry.lock())
                    && other.token() < place
                    && !over.contains(other.op())
                    && (entry.ofPermits() || !other.sameOwner(entry))
                    && history.endOf(other.client()) > entry.at()) {
                verdict.violate(
                        Rule.C8,
                        entry.at(),
                        entry.lock(),
                        "op " + entry.op() + " at position " + place + " of the fair queue was granted before op "
                                + other.op() + " at " + other.token());
            }
        }
    }
}
