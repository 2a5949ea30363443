package dev.leasehold.simulation.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The events, in order. */
public final class History {

    /** After so long a fault has no effect on the queue any more: a dead waiter has lapsed. */
    static final long FELT = 8_000_000_000L;

    /**
     * In quiet times: a wake-up, and a poll of the woken waiter, or the hand-over by one that gave up; each may be
     * slow.
     */
    private static final long WOKEN = 300_000_000;

    static final long UNJUDGED = Long.MAX_VALUE;

    /** A renewal and its answer, each perhaps slow. */
    static final long SLOW = 300_000_000;

    /** Faults after which wake-ups are lost, or no client is subscribed, though requests are answered. */
    private static final Set<String> DEAF = Set.of("WAKE_UP_LOST", "CLIENT_CRASHED", "CONNECTION_LOST");

    private static final Set<String> DELAYS = Set.of("REQUEST_DELAYED", "REORDERED", "SERVER_PAUSED");

    private final List<Entry> entries = new ArrayList<>();
    private final Map<Integer, List<Entry>> byOp = new HashMap<>();
    private final Map<Integer, List<Entry>> byClient = new HashMap<>();
    private final List<Entry> faults = new ArrayList<>();
    private final Map<String, Entry> holds = new HashMap<>();

    /** Adds the latest event. */
    public void add(Entry entry) {
        entries.add(entry);
        if (entry.is(What.SERVER_GRANTED)) {
            holds.putIfAbsent(entry.note(), entry);
        }
        if (entry.op() >= 0) {
            byOp.computeIfAbsent(entry.op(), op -> new ArrayList<>()).add(entry);
        } else if (entry.what() == What.FAULT) {
            faults.add(entry);
        } else {
            byClient.computeIfAbsent(entry.client(), client -> new ArrayList<>())
                    .add(entry);
        }
    }

    /** Returns all entries. */
    public List<Entry> entries() {
        return entries;
    }

    /** Returns all acquisitions, each with its own entries. */
    Iterable<List<Entry>> operations() {
        return byOp.values();
    }

    /**
     * Returns when Redis granted the hold of an acquisition, or the earlier one from which it was handed off; the
     * call if that is earlier or nothing was granted.
     */
    public long began(int op) {
        // It is unknown when a candidate requested its term.
        Entry invoked = first(of(op), What.INVOKED, What.SERVER_GRANTED);
        long began = invoked == null ? 0 : invoked.at();
        for (Entry entry : of(op)) {
            if (entry.is(What.SERVER_GRANTED)) {
                began = Math.min(began, holds.getOrDefault(entry.note(), entry).at());
            }
        }
        return began;
    }

    /** Returns the grant with which a hold of Redis began. */
    Entry firstOfHold(Entry granted) {
        return holds.getOrDefault(granted.note(), granted);
    }

    /** Returns whether the lease of a reader that was a writer was over when it was delivered: so it was never held. */
    boolean isOver(Entry granted) {
        return granted.until() <= granted.at() && first(of(granted.op()), What.SERVER_SHARED) != null;
    }

    List<Entry> of(int op) {
        return byOp.getOrDefault(op, List.of());
    }

    /** Returns the events of a client: stops, jumps of its clocks, its end. */
    List<Entry> ofClient(int client) {
        return byClient.getOrDefault(client, List.of());
    }

    List<Entry> faults() {
        return faults;
    }

    /** Returns the first entry of this kind about the acquisition, or null. */
    static @org.jspecify.annotations.Nullable Entry first(List<Entry> some, What... those) {
        for (Entry entry : some) {
            if (entry.is(those)) {
                return entry;
            }
        }
        return null;
    }

    /** Returns the end of the acquisition with these entries, or null. */
    static @org.jspecify.annotations.Nullable Entry outcome(List<Entry> op) {
        return first(
                op,
                What.GRANTED,
                What.BUSY,
                What.UNAVAILABLE,
                What.REFUSED,
                What.CANCELLED,
                What.CALLED,
                What.PASSED,
                What.ABSENT);
    }

    /**
     * Returns the longest possible wait in a time in which the lock was available; {@link #UNJUDGED} if faults may
     * be the reason.
     *
     * @param woken whether a wake-up ends the wait; otherwise polls do
     * @param polled the time after which a poll ends it
     * @param felt the time after its end in which a fault may be the reason
     */
    long longestWait(long from, long to, boolean woken, long polled, long felt) {
        if (woken && !felt(from - felt, to, false)) {
            return WOKEN;
        }
        return to - from > polled && !felt(to - polled - felt, to, true) ? polled : UNJUDGED;
    }

    /**
     * Returns whether a client lived beyond a moment, and from another until then neither was affected by a fault
     * nor stopped.
     */
    boolean undisturbed(int client, long from, long due) {
        return endOf(client) > due && end() > due && !faulty(from - SLOW, due) && stopped(client, from, due) == 0;
    }

    /** The same, apart from evictions, which disturb nothing but the evicted key. */
    boolean undisturbedExceptByEvictions(int client, long from, long due) {
        return endOf(client) > due
                && end() > due
                && !faulty(from, due, fault -> !fault.note().equals("EVICTION"))
                && stopped(client, from, due) == 0
                && suspended(client, from, due) == 0;
    }

    /** Returns whether a fault may affect the waiters in this time, including the loss of wake-ups alone. */
    boolean felt(long from, long to, boolean deafnessAside) {
        for (Entry fault : faults) {
            // After a step back of the clock, the heartbeat of a dead waiter or the end of a hold that a failover
            // restored may be ahead. Both count from the first poll that reads them, until the clock has made up
            // for the step.
            long ahead = Math.max(0, -fault.token());
            if (fault.at() <= to
                    && Math.max(fault.at(), fault.until()) + ahead >= from
                    && !(deafnessAside && DEAF.contains(fault.note()))) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether any fault overlaps the span. */
    boolean faulty(long from, long to) {
        return faulty(from, to, fault -> true);
    }

    /**
     * Returns whether a request of a client may have reached Redis late in the span: the time of Redis in its
     * answer is then ahead by so much.
     */
    boolean delayed(int client, long from, long to) {
        return faulty(
                from, to, fault -> DELAYS.contains(fault.note()) && (fault.client() == client || fault.client() < 0));
    }

    private boolean faulty(long from, long to, Predicate<Entry> which) {
        return faults.stream().anyMatch(fault -> overlaps(fault, from, to) && which.test(fault));
    }

    /** Returns how many faults overlap the span. */
    long count(long from, long to, Predicate<Entry> which) {
        return faults.stream()
                .filter(fault -> overlaps(fault, from, to) && which.test(fault))
                .count();
    }

    private static boolean overlaps(Entry fault, long from, long to) {
        return fault.at() <= to && Math.max(fault.at(), fault.until()) >= from;
    }

    /** Returns whether Redis' clock went back since then. */
    public boolean steppedBack(long since) {
        return steppedBack(since, Long.MAX_VALUE);
    }

    boolean steppedBack(long from, long to) {
        return faults.stream().anyMatch(fault -> fault.at() >= from && fault.at() <= to && fault.token() < 0);
    }

    /** Returns whether no fault affects the queue any more: a dead waiter has lapsed. */
    boolean quiet(long at) {
        return !faulty(Math.max(0, at - FELT), at);
    }

    /** Returns how long the client was stopped between the two moments. */
    long stopped(int client, long from, long to) {
        return lasting(client, from, to, entry -> entry.is(What.STOPPED));
    }

    /**
     * Returns how much later a client may act because it was stopped between the two moments. A stop may come in the middle of a
     * turn, so what the client does next takes a turn before it and one after it.
     */
    long heldUp(int client, long from, long to, long turnNanos) {
        long stopped = stopped(client, from, to);
        return stopped == 0 ? 0 : stopped + turnNanos;
    }

    /**
     * Returns how long between the two moments the client's monotonic clock paused, because its machine was
     * suspended.
     */
    long suspended(int client, long from, long to) {
        return lasting(
                client,
                from,
                to,
                entry -> entry.is(What.CLOCKS_JUMPED) && entry.note().equals("suspended"));
    }

    private long lasting(int client, long from, long to, Predicate<Entry> which) {
        return ofClient(client).stream()
                .filter(which)
                .mapToLong(entry -> Math.max(0, Math.min(to, entry.until()) - Math.max(from, entry.at())))
                .sum();
    }

    /** Returns the time of the last event. */
    long end() {
        return entries.isEmpty() ? 0 : entries.get(entries.size() - 1).at();
    }

    /** Returns the end of the client, or the greatest long. */
    long endOf(int client) {
        Entry end = first(ofClient(client), What.CRASHED, What.CLOSED);
        return end == null ? Long.MAX_VALUE : end.at();
    }
}
