package dev.leasehold.simulation.history;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * C4: the token rises with every change of the holders of a name, in the order in which Redis granted. Concurrent
 * holds of one named owner share a token.
 */
final class TokenRule {

    private static final long LEAST_MEMORY_NANOS = 1_000_000_000;

    private final History history;
    private final Unpromised unpromised;
    private final Verdict verdict;
    private final Map<String, Entry> last = new HashMap<>();
    private final Map<String, Entry> given = new HashMap<>();
    private final Map<String, Long> tokens = new HashMap<>();
    private final Map<Integer, Set<Long>> ofOp = new HashMap<>();
    private final Map<String, Long> used = new HashMap<>();
    private final Map<String, Entry> seen = new HashMap<>();
    /** When Redis gave a token of a lock that is lower than the one before, which it may have forgotten. */
    private final Map<String, NavigableSet<Long>> forgotten = new HashMap<>();
    /** The end of each hold that Redis has. */
    private final Map<String, Long> ends = new HashMap<>();

    /** Those that had the lock, and release it or have done so. */
    private final Set<Integer> releasing = new HashSet<>();

    TokenRule(History history, Unpromised unpromised, Verdict verdict) {
        this.history = history;
        this.unpromised = unpromised;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            if (!entry.hasTokens()) {
                continue;
            }
            if (entry.is(What.SERVER_GRANTED)) {
                if (!isLateCopy(entry)) {
                    grantedByServer(entry);
                }
                ends.put(entry.note(), entry.until());
                used.put(entry.lock(), entry.at());
            } else if (entry.is(What.SERVER_SHARED)) {
                given.putIfAbsent(entry.lock() + ' ' + entry.token(), entry);
            } else if (entry.is(What.SERVER_RENEWED)) {
                ends.put(entry.note(), entry.until());
                used.put(entry.lock(), entry.at());
            } else if (entry.is(What.SERVER_RELEASED)) {
                // The release of a hold that has ended leaves the expiry of the key as it is.
                if (ends.getOrDefault(entry.note(), entry.at()) >= entry.at()) {
                    used.put(entry.lock(), entry.at());
                }
                ends.remove(entry.note());
            } else if (entry.is(What.RELEASE_INVOKED)) {
                releasing.add(entry.op());
            } else if (entry.is(What.GRANTED)) {
                seen.merge(seenBy(entry), entry, (a, b) -> a.token() > b.token() ? a : b);
                if (!ofOp.getOrDefault(entry.op(), Set.of()).contains(entry.token())) {
                    verdict.violate(
                            Rule.C4,
                            entry.at(),
                            entry.lock(),
                            "op " + entry.op() + " has a token that Redis did not grant");
                }
            }
        }
    }

    /** Returns whether a copy of an acquire met the hold, which is retained by now: its caller has had the answer. */
    private boolean isLateCopy(Entry entry) {
        return releasing.contains(entry.op()) && ends.containsKey(entry.note());
    }

    private void grantedByServer(Entry entry) {
        ofOp.computeIfAbsent(entry.op(), op -> new HashSet<>()).add(entry.token());
        // The hold, and the lease to which it was handed off.
        Long before = tokens.put(entry.note() + " " + entry.op(), entry.token());
        if (before == null || before != entry.token()) {
            granted(entry);
        }
    }

    private void granted(Entry entry) {
        Entry before = last.get(entry.lock());
        if (before != null) {
            verdict.judge(Rule.C4);
            boolean shared = before.sameOwner(entry) && entry.token() == before.token();
            if (entry.token() <= before.token() && !shared) {
                boolean forgot = unpromised.tokensMayRegress(
                        entry.lock(), before, used.getOrDefault(entry.lock(), 0L), entry.at());
                if (forgot) {
                    forgotten
                            .computeIfAbsent(entry.lock(), lock -> new TreeSet<>())
                            .add(entry.at());
                }
                if (forgot || entersOldHold(entry, before) || handsOffLostHold(entry, before)) {
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

    /** Returns whether Redis may have forgotten the last token of a lock in this time; after the check. */
    boolean forgot(String lock, long from, long to) {
        return forgotten.containsKey(lock)
                && !forgotten.get(lock).subSet(from, true, to, true).isEmpty();
    }

    private static String seenBy(Entry entry) {
        return entry.client() + " " + entry.lock();
    }

    /**
     * Returns whether the entry joins an old hold. Lost data can restore an ended hold of a named owner. A request
     * of that owner shares its old token, unless its client has seen a higher one.
     */
    private boolean entersOldHold(Entry entry, Entry before) {
        Entry old = given.get(entry.lock() + ' ' + entry.token());
        return old != null
                && old.sameOwner(entry)
                && entry.token() < before.token()
                && !knewHigher(entry)
                && unpromised.holdMayBeGone(entry.lock(), old.at(), entry.at());
    }

    /**
     * Returns whether a client hands off a hold that Redis has lost. No request checks it: it belongs to its
     * holder, with its tokens.
     */
    private boolean handsOffLostHold(Entry entry, Entry before) {
        Entry first = history.firstOfHold(entry);
        return first.at() < before.at() && unpromised.holdMayBeGone(entry.lock(), first.at(), entry.at());
    }

    /**
     * Returns whether the client had a higher token of the name before its request, and not so long ago that it may
     * forget it.
     */
    private boolean knewHigher(Entry entry) {
        Entry highest = seen.get(seenBy(entry));
        Entry invoked = History.first(history.of(entry.op()), What.INVOKED);
        return highest != null
                && invoked != null
                && highest.token() > entry.token()
                && highest.at() < invoked.at()
                && highest.at() > invoked.at() - LEAST_MEMORY_NANOS;
    }
}
