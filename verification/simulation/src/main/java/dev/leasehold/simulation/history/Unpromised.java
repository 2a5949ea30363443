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

    Unpromised(History history) {
        this.history = history;
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

    /** Whether tokens may have gone back by then: data were lost, and a clock went back before. */
    boolean tokensMayRegress(String lock, long to) {
        boolean back = false;
        boolean lost = false;
        for (Entry fault : history.faults()) {
            if (fault.at() <= to) {
                back |= fault.token() < 0;
                lost |= LOSES_DATA.contains(fault.note())
                        && (fault.lock().isEmpty() || fault.lock().equals(lock));
            }
        }
        return back && lost;
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
