package dev.leasehold.simulation.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * C8: no waiter for wake-ups is stranded while the lock is free. In quiet times a wake-up reaches the next within
 * moments; if wake-ups are lost or the head of the queue is dead, polls find it within seconds.
 */
final class StrandedRule {

    private static final long SECOND = 1_000_000_000;

    /** The head polls every 5 s at least; an attempt that fails meanwhile costs a little more. */
    private static final long POLLED = 6 * SECOND;

    /** In a fair queue each dead waiter has a second, until all are considered dead after seven. */
    private static final long POLLED_FAIR = 12 * SECOND;

    private final History history;
    private final Verdict verdict;
    private final Map<String, List<Span>> free = new HashMap<>();
    private final Map<Place, List<Taken>> taken = new HashMap<>();

    /**
     * A time in which the lock was free.
     *
     * @param unreleased whether it began with the end of a lease that was exported and closed, or of a minimum hold: it
     *     is not released, so a waiter behind another that has just given up polls a little later, as if a wake-up were
     *     lost
     */
    private record Span(long from, long to, boolean unreleased) {}

    /** A lock in a client. */
    private record Place(int client, String lock) {}

    /** A holder of a client lost the lock without a release, and the client heard of it; never if it did not. */
    private record Taken(long at, long heard) {}

    /** The known state of a lock while its history is read. */
    private static final class Held {
        final Map<String, Long> ends = new HashMap<>();
        int most;
        long freeSince = -1;

        Held(int most) {
            this.most = most;
        }

        /** Returns since when another could acquire, if no holder had left before its time. */
        long availableSince() {
            return ends.size() < most
                    ? 0
                    : ends.values().stream()
                            .sorted()
                            .skip(ends.size() - most)
                            .findFirst()
                            .orElse(0L);
        }

        /** Returns whether that is the end of one of these. */
        boolean endsWith(Set<String> holds) {
            long since = availableSince();
            return since > freeSince
                    && ends.entrySet().stream()
                            .anyMatch(one -> one.getValue() == since && holds.contains(one.getKey()));
        }

        /** Accounts for holds that have ended: the lock may have been available before any holder released. */
        void passed(long now) {
            if (availableSince() < now) {
                freeSince = Math.max(freeSince, availableSince());
            }
        }

        /** Takes another number of permits into account; where requests are for several, only a lock without holders is free. */
        void changed(int permits, long now) {
            if (most > 1) {
                passed(now);
                boolean full = live(now) >= most;
                most = permits;
                freeSince = full && live(now) < most ? now : freeSince;
            }
        }

        /** Returns how many have not ended by then. */
        long live(long now) {
            return ends.values().stream().filter(end -> end >= now).count();
        }

        void forgetEnded(long now) {
            ends.values().removeIf(end -> end < now);
        }
    }

    StrandedRule(History history, Verdict verdict) {
        this.history = history;
        this.verdict = verdict;
    }

    void check() {
        collect();
        for (List<Entry> op : history.operations()) {
            Entry invoked = History.first(op, What.INVOKED);
            if (invoked != null
                    && (invoked.note().equals("woken") || invoked.note().equals("fair"))) {
                Entry outcome = History.outcome(op);
                long over = Math.min(outcome == null ? history.end() : outcome.at(), history.endOf(invoked.client()));
                for (Span span : free.getOrDefault(invoked.lock(), List.of())) {
                    judge(invoked, span, Math.min(span.to, over));
                }
            }
        }
    }

    private void collect() {
        Set<String> unreleased = unreleased();
        Map<String, Held> locks = new HashMap<>();
        List<Entry> ordered = new ArrayList<>(history.entries());
        ordered.sort(Comparator.comparingLong(Entry::at));
        for (Entry entry : ordered) {
            Held held = locks.computeIfAbsent(entry.lock(), lock -> new Held(atOnce(lock)));
            takenOrHeard(entry);
            switch (entry.what()) {
                case SERVER_GRANTED, SERVER_RENEWED -> {
                    long since = Math.max(held.freeSince, held.availableSince());
                    if (entry.what() == What.SERVER_GRANTED && since < entry.at()) {
                        free.computeIfAbsent(entry.lock(), lock -> new ArrayList<>())
                                .add(new Span(since, entry.at(), held.endsWith(unreleased)));
                        held.forgetEnded(entry.at());
                        held.freeSince = entry.at();
                    }
                    held.ends.put(entry.note(), entry.until());
                }
                case SERVER_KEPT -> held.ends.put(entry.note(), entry.until());
                case SERVER_PERMITS -> held.changed((int) entry.token(), entry.at());
                case SERVER_RELEASED, SERVER_GONE, SERVER_RESUMED -> {
                    held.passed(entry.at());
                    boolean full = held.live(entry.at()) >= held.most;
                    Long end = held.ends.remove(entry.note());
                    boolean left = end != null && end >= entry.at() && full && held.live(entry.at()) < held.most;
                    if (held.ends.isEmpty() || left) {
                        held.freeSince = entry.at();
                    }
                }
                default -> {}
            }
        }
        locks.forEach((lock, held) -> free.computeIfAbsent(lock, name -> new ArrayList<>())
                .add(new Span(
                        Math.max(held.freeSince, held.availableSince()), history.end(), held.endsWith(unreleased))));
    }

    private void takenOrHeard(Entry entry) {
        Place place = new Place(entry.client(), entry.lock());
        if (entry.is(What.SERVER_GONE)) {
            taken.computeIfAbsent(place, client -> new ArrayList<>()).add(new Taken(entry.at(), Long.MAX_VALUE));
        } else if (entry.is(What.LOST, What.RELEASE_INVOKED) && taken.containsKey(place)) {
            taken.get(place).replaceAll(one -> one.heard < Long.MAX_VALUE ? one : new Taken(one.at, entry.at()));
        }
    }

    /**
     * Returns the holds that may end though nobody releases them: their holders have exported them, or they last until
     * their minimum is over, or to their end because their holder gave up a release before that.
     */
    private Set<String> unreleased() {
        Set<String> holds = new HashSet<>();
        for (List<Entry> op : history.operations()) {
            if (History.first(op, What.EXPORTED, What.SERVER_KEPT, What.HAS_MINIMUM) != null) {
                op.stream().filter(entry -> entry.is(What.SERVER_GRANTED)).forEach(entry -> holds.add(entry.note()));
            }
        }
        return holds;
    }

    /**
     * Returns how many may hold a lock at once: of a semaphore as many as it has permits, if no request is ever for
     * more than one.
     */
    private int atOnce(String lock) {
        boolean single = Entry.isSemaphore(lock)
                && history.entries().stream()
                        .noneMatch(
                                entry -> entry.is(What.INVOKED) && entry.lock().equals(lock) && entry.token() > 1);
        return single ? Entry.ALL_PERMITS : 1;
    }

    /**
     * Returns since when a free lock may be acquired in this client: if it was taken from a holder of the client, whose
     * callers wait behind that holder, since the client heard of that. C3 judges whether it did so in time.
     */
    private long heldUntil(Entry invoked, long free) {
        long since = free;
        for (Taken one : taken.getOrDefault(new Place(invoked.client(), invoked.lock()), List.of())) {
            since = one.at <= free ? Math.max(since, one.heard) : since;
        }
        return since;
    }

    /** Checks a wait in a time in which the lock was free. */
    private void judge(Entry invoked, Span span, long to) {
        long from = Math.max(invoked.at(), heldUntil(invoked, span.from));
        long waited = to - from;
        if (waited <= 0 || history.stopped(invoked.client(), from, to) > 0) {
            return;
        }
        long polled = invoked.note().equals("fair") ? POLLED_FAIR : POLLED;
        // The wake-up was sent when the lock became free: then it may have gone to a waiter that a fault had killed.
        boolean woken = !span.unreleased && !history.felt(span.from - History.FELT, span.from, false);
        long most = history.longestWait(from, to, woken, polled, History.FELT);
        if (most != History.UNJUDGED) {
            verdict.judge(Rule.C8);
            if (waited > most) {
                verdict.violate(
                        Rule.C8,
                        to,
                        invoked.lock(),
                        "op " + invoked.op() + " waited for " + waited / 1_000_000 + " ms while the lock was free");
            }
        }
    }
}
