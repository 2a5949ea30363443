package dev.leasehold.simulation.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** What happened, in order. */
public final class History {

    /** What is over for so long cannot be felt any more in the queue: who is dead has lapsed. */
    static final long FELT = 8_000_000_000L;

    /** In quiet times: a wake-up, a look of whoever got it, or the passing on by one who gave up; each may be slow. */
    private static final long WOKEN = 300_000_000;

    static final long UNJUDGED = Long.MAX_VALUE;

    /** A renewal and its answer, each perhaps slow. */
    static final long SLOW = 300_000_000;

    /** Faults after which wake-ups are lost, or nobody is there to hear them, though requests are answered. */
    private static final Set<String> DEAF = Set.of("WAKE_UP_LOST", "CLIENT_CRASHED", "CONNECTION_LOST");

    private static final Set<String> DELAYS = Set.of("REQUEST_DELAYED", "REORDERED", "SERVER_PAUSED");

    private final List<Entry> entries = new ArrayList<>();
    private final Map<Integer, List<Entry>> byOp = new HashMap<>();
    private final Map<Integer, List<Entry>> byClient = new HashMap<>();
    private final List<Entry> faults = new ArrayList<>();
    private final Map<String, Entry> holds = new HashMap<>();

    /** Adds what happened last. */
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

    /** All entries. */
    public List<Entry> entries() {
        return entries;
    }

    /** All acquisitions, each with its own entries. */
    Iterable<List<Entry>> operations() {
        return byOp.values();
    }

    /**
     * When Redis granted the hold of an acquisition, or the earlier one from which it was handed on; when it was invoked if
     * that is sooner or nothing was granted.
     */
    long began(int op) {
        // Nobody knows when a candidate asked for its term.
        Entry invoked = first(of(op), What.INVOKED, What.SERVER_GRANTED);
        long began = invoked == null ? 0 : invoked.at();
        for (Entry entry : of(op)) {
            if (entry.is(What.SERVER_GRANTED)) {
                began = Math.min(began, holds.getOrDefault(entry.note(), entry).at());
            }
        }
        return began;
    }

    /** The grant with which a hold of Redis began. */
    Entry firstOfHold(Entry granted) {
        return holds.getOrDefault(granted.note(), granted);
    }

    List<Entry> of(int op) {
        return byOp.getOrDefault(op, List.of());
    }

    /** What a client met: stops, jumps of its clocks, its end. */
    List<Entry> ofClient(int client) {
        return byClient.getOrDefault(client, List.of());
    }

    List<Entry> faults() {
        return faults;
    }

    /** The first entry of this kind about the acquisition, or null. */
    static @org.jspecify.annotations.Nullable Entry first(List<Entry> some, What... those) {
        for (Entry entry : some) {
            if (entry.is(those)) {
                return entry;
            }
        }
        return null;
    }

    /** How the acquisition with these entries ended, or null. */
    static @org.jspecify.annotations.Nullable Entry outcome(List<Entry> op) {
        return first(
                op,
                What.GRANTED,
                What.BUSY,
                What.UNAVAILABLE,
                What.REFUSED,
                What.CANCELLED,
                What.CALLED,
                What.CAME_THROUGH,
                What.NOT_THERE);
    }

    /**
     * For how long somebody may have waited for what was to be had from one moment to another; {@link #UNJUDGED} if faults may be
     * the reason.
     *
     * @param woken whether a wake-up tells of it; else it is found by looks in any case
     * @param looked after how long looks find it
     * @param felt for how long after its end a fault may be the reason
     */
    long longestWait(long from, long to, boolean woken, long looked, long felt) {
        if (woken && !felt(from - felt, to, false)) {
            return WOKEN;
        }
        return to - from > looked && !felt(to - looked - felt, to, true) ? looked : UNJUDGED;
    }

    /** Whether a client lived beyond a moment, and from another until then neither a fault was felt nor it stood still. */
    boolean undisturbed(int client, long from, long due) {
        return endOf(client) > due && end() > due && !faulty(from - SLOW, due) && stopped(client, from, due) == 0;
    }

    /** Whether a fault may be felt by those who wait in this time, be it that wake-ups alone are lost. */
    boolean felt(long from, long to, boolean deafnessAside) {
        for (Entry fault : faults) {
            // What a step back of the clock left ahead of it, the sign of life of one who is dead or the end of a hold
            // that a fail-over brought back, counts from when it is first looked at: until the clock has made up for
            // it.
            long ahead = Math.max(0, -fault.token());
            if (fault.at() <= to
                    && Math.max(fault.at(), fault.until()) + ahead >= from
                    && !(deafnessAside && DEAF.contains(fault.note()))) {
                return true;
            }
        }
        return false;
    }

    /** Whether any fault lasts at some time of the span. */
    boolean faulty(long from, long to) {
        return faulty(from, to, fault -> true);
    }

    /** Whether a request of a client may have reached Redis late in the span: what its answer says of Redis' clock is ahead by so much. */
    boolean delayed(int client, long from, long to) {
        return faulty(
                from, to, fault -> DELAYS.contains(fault.note()) && (fault.client() == client || fault.client() < 0));
    }

    private boolean faulty(long from, long to, Predicate<Entry> which) {
        for (Entry fault : faults) {
            if (fault.at() <= to && Math.max(fault.at(), fault.until()) >= from && which.test(fault)) {
                return true;
            }
        }
        return false;
    }

    /** Whether Redis' clock went back since then. */
    public boolean steppedBack(long since) {
        return steppedBack(since, Long.MAX_VALUE);
    }

    boolean steppedBack(long from, long to) {
        return faults.stream().anyMatch(fault -> fault.at() >= from && fault.at() <= to && fault.token() < 0);
    }

    /** Whether no fault can be felt any more in the queue: who is dead has lapsed. */
    boolean quiet(long at) {
        return !faulty(Math.max(0, at - FELT), at);
    }

    /** How long the client stood still between the two moments. */
    long stopped(int client, long from, long to) {
        return lasting(client, from, to, entry -> entry.is(What.STOPPED));
    }

    /** For how long between the two moments the client's monotonic clock stood still, because its machine was suspended. */
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

    /** When the last thing happened. */
    long end() {
        return entries.isEmpty() ? 0 : entries.get(entries.size() - 1).at();
    }

    /** When the client came to its end, or the greatest long. */
    long endOf(int client) {
        Entry end = first(ofClient(client), What.CRASHED, What.CLOSED);
        return end == null ? Long.MAX_VALUE : end.at();
    }
}
