package dev.leasehold.simulation.history;

import java.util.Set;

/** Where the guarantees of docs/guarantees.md end: which faults void a promise for whom. */
final class Unpromised {

    /** Without condition C-1: data are lost, of one lock or of all. */
    private static final Set<String> LOSES_DATA = Set.of("RESTART_WITHOUT_DATA", "FAIL_OVER_LAGGING", "EVICTION");

    /** Without condition C-2: Redis' clock steps forward. */
    private static final Set<String> STEPS_FORWARD = Set.of("FAIL_OVER_CLOCK_AHEAD", "CLOCK_FORWARD");

    private static final long SHORT_SUSPENSION = 260_000_000;

    private final History history;
    private final long retentionNanos;

    Unpromised(History history, long retentionNanos) {
        this.history = history;
        this.retentionNanos = retentionNanos;
    }

    /** Whether a hold that was asked for at {@code from} may be gone in Redis at {@code to} though its time is not over. */
    boolean holdMayBeGone(String lock, long from, long to) {
        for (Entry fault : history.faults()) {
            boolean concerns = fault.lock().isEmpty() || fault.lock().equals(lock);
            boolean unsafe = LOSES_DATA.contains(fault.note()) || STEPS_FORWARD.contains(fault.note());
            if (unsafe && concerns && fault.at() >= from && fault.at() <= to) {
                return true;
            }
        }
        return false;
    }

    /** Whether the client's own clocks hid time from it: suspensions too short to be seen, or masked by a step back. */
    boolean clockMayHaveStood(int client, long from, long to) {
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
     * Whether tokens may have gone back by then: a clock went back before, and the name's key is gone, be it with lost
     * data or because nobody has used it for its retention since {@code used}.
     */
    boolean tokensMayRegress(String lock, long used, long to) {
        boolean back = false;
        boolean gone = to - used >= retentionNanos;
        for (Entry fault : history.faults()) {
            if (fault.at() <= to) {
                back |= fault.token() < 0;
                gone |= LOSES_DATA.contains(fault.note())
                        && (fault.lock().isEmpty() || fault.lock().equals(lock));
                gone |= STEPS_FORWARD.contains(fault.note()) && fault.at() >= used;
            }
        }
        return back && gone;
    }

    /** Whether what Redis noted about late copies may be lost or read by another clock. */
    boolean notesMayBeGone(String lock, long from, long to) {
        for (Entry fault : history.faults()) {
            boolean concerns = fault.lock().isEmpty() || fault.lock().equals(lock);
            if (concerns
                    && fault.at() >= from
                    && fault.at() <= to
                    && (LOSES_DATA.contains(fault.note()) || fault.token() < 0)) {
                return true;
            }
        }
        return false;
    }
}
