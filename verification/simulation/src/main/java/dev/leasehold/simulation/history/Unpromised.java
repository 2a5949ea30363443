package dev.leasehold.simulation.history;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The limits of the guarantees of docs/guarantees.md: the faults that void a promise, and their scope. */
public final class Unpromised {

    /** The longest time by which reserved tokens are ahead of Redis' clock. */
    private static final long RESERVED_MICROS = 1_000_000;

    private static final String TO_REPLICA = "FAIL_OVER_TO_REPLICA";

    /** Without condition C-1: data are lost, of one lock or of all. */
    private static final Set<String> LOSES_DATA =
            Set.of("RESTART_WITHOUT_DATA", "FAIL_OVER_LAGGING", TO_REPLICA, "EVICTION");

    /** Without condition C-2: Redis' clock steps forward. */
    private static final Set<String> STEPS_FORWARD = Set.of("FAIL_OVER_CLOCK_AHEAD", "CLOCK_FORWARD");

    /** A server of a quorum that restarted knows that it may have forgotten holds. After these it does not. */
    private static final Set<String> UNNOTICED = Set.of("EVICTION", "CLOCK_FORWARD");

    private static final long NANOS_PER_MICRO = 1000;
    private static final long SHORT_SUSPENSION = 260_000_000;

    private final History history;
    private final Setting setting;
    /** The acquisitions that wait for the replica: a failover to it loses none of their holds. */
    private final Set<Integer> replicated = new HashSet<>();
    /** When a client took a lock away from its holders, who learn of it later. */
    private final List<Entry> forced = new ArrayList<>();

    /** Returns whether a fault of this kind loses data, of one lock or of all. */
    public static boolean losesData(String kind) {
        return LOSES_DATA.contains(kind);
    }

    /** Creates the limits for a history. */
    public Unpromised(History history, Setting setting) {
        this.history = history;
        this.setting = setting;
        for (Entry entry : history.entries()) {
            if (entry.is(What.AWAITS_REPLICA)) {
                replicated.add(entry.op());
            } else if (entry.is(What.SERVER_FORCED)) {
                forced.add(entry);
            }
        }
    }

    /** Returns whether the acquisition waits for the replica. */
    boolean isReplicated(int op) {
        return replicated.contains(op);
    }

    /** Returns whether a hold that was requested at {@code from} may be gone in Redis at {@code to} before its end. */
    boolean holdMayBeGone(String lock, long from, long to) {
        return holdMayBeGone(lock, from, to, false);
    }

    /** Returns the same of a lease of this operation that counts as held at {@code to}: the replica has its hold, if it waits for that. */
    boolean leaseMayBeGone(int op, String lock, long from, long to) {
        return holdMayBeGone(lock, from, to, isReplicated(op));
    }

    /** Returns whether the lock of a lease that counts as held at {@code to} may be granted to another lease. */
    boolean mayBeGrantedAgain(Entry lease, Entry other, long from, long to) {
        if (setting.servers() == 1) {
            return leaseMayBeGone(lease.op(), lease.lock(), from, to);
        }
        // Only if servers that could not notice their loss are what makes a majority of the others.
        Set<Long> grantors = grantors(other);
        boolean majority = setting.isMajority(grantors.size());
        grantors.removeAll(lostUnnoticed(lease.lock(), from, to));
        return majority && !setting.isMajority(grantors.size());
    }

    /** Returns the servers that may have forgotten holds of the lock, and cannot know it. */
    private Set<Long> lostUnnoticed(String lock, long from, long to) {
        Set<Long> lost = new HashSet<>();
        for (Entry fault : history.faults()) {
            if (UNNOTICED.contains(fault.note()) && fault.concerns(lock) && fault.at() >= from && fault.at() <= to) {
                lost.add(Long.parseLong(fault.owner()));
            }
        }
        return lost;
    }

    /** Returns the servers that granted a lease in its last try, and count. */
    private Set<Long> grantors(Entry lease) {
        Set<Long> grantors = new HashSet<>();
        String attempt = "";
        for (Entry entry : history.of(lease.op())) {
            if (entry.is(What.QUORUM_GRANTED) && entry.at() <= lease.at()) {
                if (!entry.note().equals(attempt)) {
                    grantors.clear();
                }
                attempt = entry.note();
                grantors.add(entry.token());
            }
        }
        return grantors;
    }

    private boolean holdMayBeGone(String lock, long from, long to, boolean onReplica) {
        if (forced.stream().anyMatch(entry -> entry.lock().equals(lock) && entry.at() >= from && entry.at() <= to)) {
            return true;
        }
        for (Entry fault : history.faults()) {
            boolean unsafe = (LOSES_DATA.contains(fault.note())
                            && !(onReplica && fault.note().equals(TO_REPLICA)))
                    || STEPS_FORWARD.contains(fault.note());
            if (unsafe && fault.concerns(lock) && fault.at() >= from && fault.at() <= to) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether the client's own clocks hid time from it: suspensions too short to be detected, or masked by
     * a step back.
     */
    public boolean clockMayHaveStood(int client, long from, long to) {
        boolean suspended = false;
        boolean hidden = false;
        for (Entry entry : history.ofClient(client)) {
            if (entry.at() < from || entry.at() > to) {
                continue;
            }
            if (entry.what() == What.CLOCKS_JUMPED && entry.note().equals("suspended")) {
                suspended = true;
                hidden |= entry.until() - entry.at() < SHORT_SUSPENSION;
            }
            hidden |= entry.what() == What.CLOCKS_JUMPED && entry.note().equals("back");
        }
        return suspended && hidden;
    }

    /**
     * Returns whether a token after {@code last} may be less: a clock went back, and the name's key is gone, either
     * with lost data or because Redis' clock was beyond its token memory since it was last used. With lost data alone, if the last
     * one is ahead of Redis' clock: those that a hand-off within a client or a retained hold reserves are, by a second at most.
     */
    boolean tokensMayRegress(String lock, Entry last, long used, long to) {
        boolean back = false;
        boolean lost = false;
        boolean lostSince = false;
        for (Entry fault : history.faults()) {
            if (fault.at() <= to) {
                back |= fault.token() < 0;
                boolean loses = LOSES_DATA.contains(fault.note()) && fault.concerns(lock);
                lost |= loses;
                lostSince |= loses && fault.at() >= last.at();
            }
        }
        if (setting.servers() > 1) {
            // Their clocks differ.
            return back || lost;
        }
        boolean ahead = last.token() >= latestTime(to, to)
                && last.token() - latestTime(last.at(), last.at()) <= RESERVED_MICROS;
        return (lostSince && ahead) || (back && (lost || latestTime(used, to) >= keptUntil(last, used)));
    }

    /** Returns the end of the key's life: it outlives its last use and its last token, both by the token memory. */
    private long keptUntil(Entry last, long used) {
        return Math.max(last.token(), latestTime(used, used)) + setting.memoryNanos() / NANOS_PER_MICRO;
    }

    /**
     * Returns the latest time, in microseconds, that Redis' clock showed in a span; just before a step it may be
     * later than after.
     */
    private long latestTime(long from, long to) {
        long offset = 0;
        long latest = Long.MIN_VALUE;
        for (Entry fault : history.faults()) {
            if (fault.at() > to) {
                break;
            }
            if (fault.at() >= from) {
                latest = Math.max(latest, fault.at() + offset);
            }
            offset += fault.token();
        }
        return setting.epochMicros() + Math.max(latest, to + offset) / NANOS_PER_MICRO;
    }

    /** Returns whether Redis' notes about late copies may be lost or read by another clock. */
    boolean notesMayBeGone(String lock, long from, long to) {
        for (Entry fault : history.faults()) {
            if (fault.concerns(lock)
                    && fault.at() >= from
                    && fault.at() <= to
                    && (LOSES_DATA.contains(fault.note()) || fault.token() < 0)) {
                return true;
            }
        }
        return false;
    }
}
