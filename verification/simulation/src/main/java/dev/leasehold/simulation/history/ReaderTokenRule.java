package dev.leasehold.simulation.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * C20: readers that hold a lock at the same time have one token, whether they share a hold or have holds of their own, and whether
 * or not they were writers before; else a resource that has seen the one refuses the others. After a failover has lost a grant that a client has seen, a reader of that client has a token above it, and so have those who come later.
 */
final class ReaderTokenRule {

    private final History history;
    private final Unpromised unpromised;
    private final TokenRule tokens;
    private final Verdict verdict;
    /** The readers of each lock that have their leases, by operation. */
    private final Map<String, Map<Integer, Entry>> readers = new HashMap<>();
    /** The hold of each operation as Redis has it: its grant, or its latest renewal. */
    private final Map<Integer, Entry> holds = new HashMap<>();
    /** The latest grant of each operation, which its client may have heard of though it ended without a lease. */
    private final Map<Integer, Entry> grants = new HashMap<>();
    /** What Redis keeps of the minimum of each operation. */
    private final Map<Integer, Entry> kept = new HashMap<>();
    /** The lease, or what is kept of one, with the highest token that each client has had of a lock. */
    private final Map<String, Entry> highest = new HashMap<>();
    /** For each token of a lock, the highest leases of the clients to which Redis gave it, as they were before. */
    private final Map<String, List<Entry>> knownBefore = new HashMap<>();

    /** The ids of holds that a fault, or a forced release, removed. */
    private final Set<String> gone = new HashSet<>();

    /** {@code tokens} has checked the same history. */
    ReaderTokenRule(History history, Unpromised unpromised, TokenRule tokens, Verdict verdict) {
        this.history = history;
        this.unpromised = unpromised;
        this.tokens = tokens;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            switch (entry.what()) {
                case SERVER_GRANTED -> {
                    Entry known = highest.get(seenBy(entry));
                    if (known != null) {
                        knownBefore
                                .computeIfAbsent(tokenOf(entry), token -> new ArrayList<>())
                                .add(known);
                    }
                    if (!joinsAHoldThatIsGone(entry)) {
                        holds.put(entry.op(), entry);
                    }
                    grants.put(entry.op(), entry);
                }
                case UNAVAILABLE -> {
                    Entry grant = grants.get(entry.op());
                    if (grant != null && grant.hasTokens()) {
                        seen(grant);
                    }
                }
                case SERVER_RENEWED -> holds.put(entry.op(), entry);
                case GRANTED -> granted(entry);
                case SERVER_KEPT -> kept.put(entry.op(), entry);
                case RELEASED -> {
                    Entry rest = kept.get(entry.op());
                    if (rest != null) {
                        seen(rest);
                    }
                }
                case RELEASE_INVOKED, LOST -> of(entry.lock()).remove(entry.op());
                case SERVER_RELEASED, SERVER_GONE -> {
                    if (entry.is(What.SERVER_GONE)) {
                        gone.add(entry.note());
                    }
                    of(entry.lock()).remove(entry.op());
                    // Its grant may not have arrived yet, as while its client waits for a replica.
                    holds.computeIfPresent(entry.op(), (op, hold) -> hold.note().equals(entry.note()) ? null : hold);
                }
                case CRASHED, CLOSED ->
                    readers.values().forEach(some -> some.values().removeIf(one -> one.client() == entry.client()));
                default -> {}
            }
        }
    }

    /** Returns whether a reader joined one of its client, which has not heard that Redis lost the hold of both. */
    private boolean joinsAHoldThatIsGone(Entry granted) {
        return gone.contains(granted.note()) && history.firstOfHold(granted).op() != granted.op();
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
            seen(entry);
        }
    }

    private void seen(Entry entry) {
        highest.merge(seenBy(entry), entry, (a, b) -> a.token() > b.token() ? a : b);
    }

    private boolean isHeld(Entry reader, long at) {
        Entry hold = holds.get(reader.op());
        return hold != null && hold.until() > at;
    }

    private void compare(Entry entry, Entry other) {
        verdict.judge(Rule.C20);
        if (entry.token() == other.token()) {
            return;
        }
        if (entry.token() > other.token() ? isAboveALostGrant(entry, other) : isAboveALostGrant(other, entry)) {
            verdict.waive(Rule.C20);
        } else {
            verdict.violate(
                    Rule.C20,
                    entry.at(),
                    entry.lock(),
                    "op " + entry.op() + " reads with token " + entry.token() + " beside op " + other.op()
                            + " with token " + other.token());
        }
    }

    /**
     * Returns whether a token is higher than another for a client that had seen a higher one, whose grant may be lost, or its token
     * forgotten, since then.
     */
    private boolean isAboveALostGrant(Entry higher, Entry lower) {
        return knownBefore.getOrDefault(tokenOf(higher), List.of()).stream()
                .anyMatch(known -> known.token() > lower.token()
                        && (tokens.forgot(known.lock(), known.at(), lower.at())
                                || unpromised.holdMayBeGone(higher.lock(), history.began(known.op()), higher.at())));
    }

    private static String tokenOf(Entry entry) {
        return entry.lock() + " " + entry.token();
    }

    private static String seenBy(Entry entry) {
        return entry.client() + " " + entry.lock();
    }
}
