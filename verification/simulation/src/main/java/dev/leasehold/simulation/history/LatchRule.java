package dev.leasehold.simulation.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * C10: each id is counted once, and no later than its caller may wait for it. A waiter passes only if nothing was
 * left to count, and soon if so. A waiter learns that the latch does not exist only if it did not.
 */
final class LatchRule {

    private static final long SECOND = 1_000_000_000;

    /** Redis counts in microseconds. */
    private static final long ROUNDING = 2_000;

    /** Without a wake-up it polls every 5 s at least; an attempt that fails meanwhile costs a little more. */
    private static final long POLLED = 6 * SECOND;

    /**
     * The client's estimate of the clock of Redis may differ by so much; by more if it has not seen a step, or if
     * the request that read it was late.
     */
    private static final long CLOCKS = 100_000_000;

    private static final long SEEN = 10 * SECOND;

    private final History history;
    private final Verdict verdict;
    private final Map<String, Latch> present = new HashMap<>();
    private final Map<String, List<Latch>> all = new HashMap<>();
    private final Map<String, Entry> counted = new HashMap<>();
    private final Map<String, Integer> callers = new HashMap<>();

    /** The known state of a latch from its creation, or from its discovery after a fault, to its end. */
    private static final class Latch {
        final String by;
        final long from;
        final Set<String> ids = new HashSet<>();
        long left;
        long until;
        long reached = Long.MAX_VALUE;

        Latch(Entry entry) {
            this.by = entry.owner();
            this.from = entry.at();
            this.left = entry.token();
            this.until = entry.until();
        }
    }

    LatchRule(History history, Verdict verdict) {
        this.history = history;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            switch (entry.what()) {
                case SERVER_SET -> set(entry);
                case SERVER_KNOWN -> known(entry);
                case SERVER_COUNTED -> counted(entry);
                case SERVER_REACHED -> reached(entry);
                case INVOKED -> {
                    if (entry.ofLatch()) {
                        callers.merge(entry.note(), 1, Integer::sum);
                    }
                }
                default -> {}
            }
        }
        for (List<Entry> op : history.operations()) {
            Entry invoked = History.first(op, What.INVOKED);
            if (invoked != null && invoked.ofLatch()) {
                Entry outcome = History.outcome(op);
                lateCount(invoked, outcome);
                if (invoked.note().equals("LATCH_AWAIT")) {
                    waited(invoked, outcome);
                }
            }
        }
    }

    private void set(Entry entry) {
        Latch there = present.get(entry.lock());
        if (there == null || entry.at() >= there.until - ROUNDING) {
            inTurn(entry);
            begins(entry);
        } else if (!there.by.equals(entry.owner())) {
            violate(entry, "was set again while it existed");
        }
    }

    /** Checks that a round is set above all that there are, and each of them is reached. */
    private void inTurn(Entry entry) {
        String latch = Entry.latchOf(entry.lock());
        if (latch.isEmpty()) {
            return;
        }
        present.forEach((name, other) -> {
            if (Entry.latchOf(name).equals(latch) && entry.at() < other.until - ROUNDING) {
                if (other.left > 0) {
                    violate(entry, "was set while " + name + " was not reached");
                } else if (Entry.numberOf(name) > Entry.numberOf(entry.lock())) {
                    violate(entry, "was set after " + name);
                }
            }
        });
    }

    private Latch begins(Entry entry) {
        ends(entry);
        Latch latch = new Latch(entry);
        present.put(entry.lock(), latch);
        all.computeIfAbsent(entry.lock(), name -> new ArrayList<>()).add(latch);
        return latch;
    }

    private void ends(Entry entry) {
        Latch there = present.remove(entry.lock());
        if (there != null) {
            there.until = Math.min(there.until, entry.at());
        }
    }

    private void known(Entry entry) {
        if (entry.until() == 0) {
            ends(entry);
            return;
        }
        Latch there = present.get(entry.lock());
        if (there != null && there.left == 0 && entry.owner().isEmpty()) {
            // A round that others have followed stays reached, and may last longer.
            there.until = entry.until();
            return;
        }
        Latch latch = begins(entry);
        if (!entry.note().isEmpty()) {
            latch.ids.addAll(List.of(entry.note().split(" ", -1)));
        }
        latch.reached = latch.left == 0 ? entry.at() : Long.MAX_VALUE;
    }

    private void counted(Entry entry) {
        verdict.judge(Rule.C10);
        Latch latch = present.get(entry.lock());
        if (latch == null || entry.at() > latch.until + ROUNDING) {
            violate(entry, "was counted down though it did not exist");
            return;
        }
        if (entry.at() > entry.until() + ROUNDING) {
            violate(entry, "was counted down by a copy that arrived too late");
        }
        boolean first = latch.ids.add(entry.note());
        if (first) {
            latch.left--;
            counted.putIfAbsent(entry.note(), entry);
        }
        if (entry.token() != latch.left) {
            violate(
                    entry,
                    "has " + entry.token() + " left and not " + latch.left + " after " + latch.ids.size()
                            + " count-downs, the last " + (first ? "" : "repeated"));
        } else if (latch.left == 0 && first) {
            latch.reached = entry.at();
        }
    }

    private void reached(Entry entry) {
        Latch latch = present.get(entry.lock());
        if (latch == null || latch.left > 0) {
            violate(entry, "was reported as reached, and is not");
        }
    }

    /** Checks that a count-down is never made if its caller was refused, or may not wait for it any more. */
    private void lateCount(Entry invoked, @Nullable Entry outcome) {
        Entry made = counted.get(invoked.note());
        if (made == null || callers.getOrDefault(invoked.note(), 0) > 1) {
            return;
        }
        verdict.judge(Rule.C10);
        if (outcome != null
                && outcome.is(What.UNAVAILABLE)
                && outcome.note().equals("not")
                && made.at() > outcome.at()) {
            violate(made, "was counted down by a call that was refused");
        }
        // By the clock of the caller, which waits longer if it pauses.
        long waits = invoked.until() + history.suspended(invoked.client(), invoked.at(), made.at());
        long seen = invoked.at() - SEEN;
        boolean known = !history.steppedBack(seen, made.at()) && !history.delayed(invoked.client(), seen, made.at());
        if (made.at() > waits + CLOCKS && known) {
            violate(made, "was counted down by a copy that arrived too late");
        }
    }

    private void waited(Entry invoked, @Nullable Entry outcome) {
        long over = Math.min(outcome == null ? history.end() : outcome.at(), history.endOf(invoked.client()));
        boolean through = false;
        boolean covered = false;
        for (Latch latch : all.getOrDefault(invoked.lock(), List.of())) {
            through |= latch.reached <= over && latch.until + ROUNDING >= invoked.at();
            covered |= latch.from < invoked.at() && latch.until - ROUNDING > over;
            if (latch.reached < latch.until) {
                soon(invoked, Math.max(latch.reached, invoked.at()), Math.min(latch.until, over), "nothing is left");
            }
        }
        if (outcome != null && outcome.is(What.PASSED)) {
            verdict.judge(Rule.C10);
            if (!through) {
                violate(outcome, "let op " + outcome.op() + " through before its count was down");
            }
        } else if (outcome != null && outcome.is(What.ABSENT) && covered) {
            violate(outcome, "exists, and op " + outcome.op() + " got the answer that it does not");
        }
        absent(invoked, over);
    }

    /** Checks that a waiter for a latch that is gone learns of it. */
    private void absent(Entry invoked, long over) {
        long from = 0;
        for (Latch latch : all.getOrDefault(invoked.lock(), List.of())) {
            gone(invoked, from, Math.min(latch.from, over));
            from = latch.until;
        }
        gone(invoked, from, over);
    }

    private void gone(Entry invoked, long from, long to) {
        soon(invoked, Math.max(from, invoked.at()), to, "it is gone");
    }

    private void soon(Entry invoked, long from, long to, String why) {
        long waited = to - from;
        if (waited <= 0 || history.stopped(invoked.client(), from, to) > 0) {
            return;
        }
        long most = history.longestWait(from, to, true, POLLED, History.FELT);
        if (most != History.UNJUDGED) {
            verdict.judge(Rule.C10);
            if (waited > most) {
                verdict.violate(
                        Rule.C10,
                        to,
                        invoked.lock(),
                        "op " + invoked.op() + " waited for " + waited / 1_000_000 + " ms though " + why);
            }
        }
    }

    private void violate(Entry entry, String text) {
        verdict.violate(Rule.C10, entry.at(), entry.lock(), "the latch " + text);
    }
}
