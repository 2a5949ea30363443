package dev.leasehold.simulation.history;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * C4, for readers: all that hold a lock at the same time have one token, else a resource refuses some of them. After a failover
 * has lost a grant that a client has seen, a reader of that client has a token above it.
 */
final class ReaderTokenRule {

    private final History history;
    private final Unpromised unpromised;
    private final Verdict verdict;
    /** The readers of each lock that have their leases, by operation. */
    private final Map<String, Map<Integer, Entry>> readers = new HashMap<>();
    /** The end of the hold of each operation in Redis. */
    private final Map<Integer, Long> ends = new HashMap<>();
    /** The lease with the highest token that each client has had of a lock. */
    private final Map<String, Entry> highest = new HashMap<>();

    ReaderTokenRule(History history, Unpromised unpromised, Verdict verdict) {
        this.history = history;
        this.unpromised = unpromised;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            switch (entry.what()) {
                case SERVER_GRANTED, SERVER_RENEWED -> ends.put(entry.op(), entry.until());
                case GRANTED -> granted(entry);
                case RELEASE_INVOKED, LOST, SERVER_RELEASED, SERVER_GONE ->
                    of(entry.lock()).remove(entry.op());
                case CRASHED, CLOSED ->
                    readers.values().forEach(some -> some.values().removeIf(one -> one.client() == entry.client()));
                default -> {}
            }
        }
    }

    private Map<Integer, Entry> of(String lock) {
        return readers.computeIfAbsent(lock, name -> new LinkedHashMap<>());
    }

    private void granted(Entry entry) {
        if (entry.owner().equals(Entry.READERS) && isHeld(entry, entry.at())) {
            of(entry.lock()).values().stream()
                    .filter(other -> isHeld(other, entry.at()))
                    .forEach(other -> compare(entry, other));
            of(entry.lock()).put(entry.op(), entry);
        }
        if (entry.hasTokens()) {
            highest.merge(seenBy(entry), entry, (a, b) -> a.token() > b.token() ? a : b);
        }
    }

    private boolean isHeld(Entry reader, long at) {
        return ends.getOrDefault(reader.op(), 0L) > at;
    }

    private void compare(Entry entry, Entry other) {
        verdict.judge(Rule.C4);
        if (entry.token() == other.token()) {
            return;
        }
        if (knewALostGrant(entry, other) || knewALostGrant(other, entry)) {
            verdict.waive(Rule.C4);
        } else {
            verdict.violate(
                    Rule.C4,
                    entry.at(),
                    entry.lock(),
                    "op " + entry.op() + " reads with token " + entry.token() + " beside op " + other.op()
                            + " with token " + other.token());
        }
    }

    /** Returns whether the client of a reader has seen a higher token than that of another reader, which data lost since then. */
    private boolean knewALostGrant(Entry entry, Entry other) {
        Entry seen = highest.get(seenBy(entry));
        return seen != null
                && seen.token() > other.token()
                && unpromised.holdMayBeGone(entry.lock(), history.began(seen.op()), entry.at());
    }

    private static String seenBy(Entry entry) {
        return entry.client() + " " + entry.lock();
    }
}
