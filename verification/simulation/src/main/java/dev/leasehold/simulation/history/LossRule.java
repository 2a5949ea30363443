package dev.leasehold.simulation.history;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * C3: a loss is reported exactly once: as soon as the answer that the hold does not exist has arrived, and by the
 * end of the hold in Redis at the latest, whether or not Redis answers. A stopped process is notified when it runs
 * again. A hold that the holder's own release removed in time is not reported as lost. Where Redis tracks keys, the eviction of
 * a hold is reported soon, if nothing else disturbs.
 */
final class LossRule {

    /** Time for threads to be scheduled, and for the drift of the clocks over the longest lease. */
    private static final long TURN_NANOS = 5_000_000;

    /** From the grant, until the key is tracked. */
    private static final long YOUNG_NANOS = 300_000_000;

    /** The pause between two checks of a lease, a message, a request and its answer, each perhaps slow. */
    private static final long SOON_NANOS = 250_000_000;

    /** After so long, a fault has no effect on the tracking of keys: a lost connection is open again, and a lost message past. */
    private static final long SETTLED_NANOS = 2_000_000_000;

    private final History history;
    private final Setting setting;
    private final Unpromised unpromised;
    private final Verdict verdict;
    private long ended;

    LossRule(History history, Setting setting, Unpromised unpromised, Verdict verdict) {
        this.history = history;
        this.unpromised = unpromised;
        this.setting = setting;
        this.verdict = verdict;
    }

    void check() {
        ended = history.end();
        for (List<Entry> op : history.operations()) {
            Entry granted = History.first(op, What.GRANTED);
            if (granted != null) {
                once(op, granted);
                inTime(op, granted);
                denied(op, granted);
                ownRelease(op, granted);
                falsely(op, granted);
                afterRelease(op, granted);
                if (setting.tracksKeys()) {
                    soon(op, granted);
                }
            }
        }
    }

    private void once(List<Entry> op, Entry granted) {
        long losses = op.stream().filter(entry -> entry.is(What.LOST)).count();
        long reported = op.stream().filter(entry -> entry.is(What.RELEASE_LOST)).count();
        if (losses > 1 || reported > 1) {
            violate(granted, granted.at(), "was notified of its loss twice");
        }
        Entry thrown = History.first(op, What.RELEASE_LOST);
        if (thrown != null && losses == 0 && runsAt(granted.client(), thrown.at())) {
            violate(granted, thrown.at(), "was lost, as the release reported, but no listener was notified");
        }
    }

    private boolean runsAt(int client, long at) {
        return history.endOf(client) > at + TURN_NANOS;
    }

    private void inTime(List<Entry> op, Entry granted) {
        long end = 0;
        for (Entry entry : op) {
            if (entry.is(What.SERVER_GRANTED, What.SERVER_RENEWED)) {
                end = Math.max(end, entry.until());
            }
        }
        Entry over = History.first(op, What.LOST, What.RELEASE_INVOKED);
        long reported = over == null ? Math.min(ended, history.endOf(granted.client())) : over.at();
        // Counted from the grant in Redis: a repeat of the request finds only the rest of the hold, and a timer that is
        // planned already.
        Entry began = History.first(op, What.SERVER_GRANTED);
        long drift = (end - (began == null ? granted : began).at()) / 50 + TURN_NANOS;
        // A stop while the grant was on its way hid as much time from the holder as one after it.
        Entry invoked = History.first(op, What.INVOKED, What.SERVER_GRANTED);
        long from = invoked == null ? granted.at() : invoked.at();
        long due = end + drift + history.heldUp(granted.client(), from, reported, TURN_NANOS);
        if (over != null && over.is(What.LOST)) {
            verdict.judge(Rule.C3);
        }
        if (reported > due && due < history.endOf(granted.client())) {
            violate(granted, reported, over == null ? "was never notified of its loss" : "outlived its hold");
        }
    }

    private void denied(List<Entry> op, Entry granted) {
        Entry denied = deniedOf(op, granted);
        if (denied == null) {
            return;
        }
        verdict.judge(Rule.C3);
        Entry over = History.first(op, What.LOST, What.RELEASE_INVOKED);
        long reported = over == null ? Math.min(ended, history.endOf(granted.client())) : over.at();
        long due = denied.at() + TURN_NANOS + history.heldUp(granted.client(), denied.at(), reported, TURN_NANOS);
        if (reported > due && due < history.endOf(granted.client())) {
            violate(granted, reported, "learned that its hold was gone, and did not report it");
        }
    }

    private void soon(List<Entry> op, Entry granted) {
        Entry gone = History.first(op, What.SERVER_GONE);
        if (gone == null || gone.at() < granted.at() + YOUNG_NANOS) {
            return;
        }
        long due = gone.at() + SOON_NANOS;
        Entry over = History.first(op, What.LOST, What.RELEASE_INVOKED, What.SERVER_RESUMED);
        boolean undisturbed = history.undisturbedExceptByEvictions(granted.client(), gone.at() - SETTLED_NANOS, due);
        if (undisturbed && (over == null || over.at() > gone.at())) {
            verdict.judge(Rule.C3);
            if (over == null || over.at() > due) {
                violate(granted, due, "was not notified soon that its hold is gone");
            }
        }
    }

    private void ownRelease(List<Entry> op, Entry granted) {
        Entry began = History.first(op, What.RELEASE_INVOKED);
        Entry thrown = History.first(op, What.RELEASE_LOST);
        if (began == null || thrown == null) {
            return;
        }
        long deadline = 0;
        long until = 0;
        boolean gone = false;
        Entry removed = null;
        for (Entry entry : op) {
            deadline = entry.is(What.GRANTED, What.HELD) ? entry.until() : deadline;
            until = entry.is(What.SERVER_GRANTED, What.SERVER_RENEWED) ? entry.until() : until;
            if (entry.is(What.SERVER_RELEASED)
                    && entry.at() >= began.at()
                    && entry.lock().equals(granted.lock())) {
                removed = entry;
            }
            gone |= entry.is(What.SERVER_GONE, What.SERVER_RESUMED, What.LOST) && entry.at() < began.at();
        }
        boolean live = removed != null && removed.at() < until && removed.at() <= thrown.at();
        boolean unclear = history.entries().stream()
                .anyMatch(entry -> entry.client() == granted.client() && mayHideIt(entry, granted, thrown));
        if (live && !gone && !unclear && thrown.at() < deadline) {
            violate(granted, thrown.at(), "was reported as lost, though its own release had removed it in time");
        }
    }

    /** Checks that a hold which was reported as gone was not there, at the moment of the report or shortly before. */
    private void falsely(List<Entry> op, Entry granted) {
        Entry lost = History.first(op, What.LOST);
        Entry invoked = History.first(op, What.INVOKED);
        // Of several locks, another one may be gone.
        boolean together = invoked != null && invoked.note().equals(Entry.TOGETHER);
        if (lost == null
                || together
                || !(lost.note().equals("TAKEN_OVER") || lost.note().equals("DELETED"))) {
            return;
        }
        long until = 0;
        boolean gone = false;
        for (Entry entry : op) {
            if (entry.at() <= lost.at()) {
                until = entry.is(What.SERVER_GRANTED, What.SERVER_RENEWED) ? entry.until() : until;
                gone |= entry.is(What.SERVER_GONE, What.SERVER_RELEASED, What.SERVER_RESUMED, What.SERVER_KEPT);
            }
        }
        verdict.judge(Rule.C3);
        long from = history.began(granted.op());
        boolean excused = unpromised.holdMayBeGone(granted.lock(), from, lost.at()) || history.faulty(from, lost.at());
        if (!gone && until > lost.at() + TURN_NANOS && !excused) {
            violate(granted, lost.at(), "was reported as lost (" + lost.note() + "), and Redis holds it");
        }
    }

    /** Checks that a hold which was released in time, and ended by itself before Redis heard of that, was not reported as lost. */
    private void afterRelease(List<Entry> op, Entry granted) {
        Entry began = History.first(op, What.RELEASE_INVOKED);
        Entry lost = History.first(op, What.LOST, What.RELEASE_LOST);
        Entry invoked = History.first(op, What.INVOKED);
        boolean together = invoked != null && invoked.note().equals(Entry.TOGETHER);
        // A downgrade is a release of a caller who goes on, and who must hear of a loss.
        if (began == null || lost == null || together || began.note().equals(Entry.DOWNGRADE)) {
            return;
        }
        long deadline = 0;
        boolean gone = false;
        for (Entry entry : op) {
            if (entry.is(What.GRANTED, What.HELD) && entry.at() <= began.at()) {
                deadline = entry.until();
            }
            gone |= entry.is(What.SERVER_GONE, What.SERVER_RESUMED);
        }
        boolean inTime = began.at() < deadline && lost.at() > deadline + TURN_NANOS;
        boolean excused = unpromised.holdMayBeGone(granted.lock(), history.began(granted.op()), lost.at())
                || history.stopped(granted.client(), granted.at(), lost.at()) > 0
                || history.entries().stream()
                        .anyMatch(entry -> entry.client() == granted.client() && mayHideIt(entry, granted, lost));
        if (inTime && !gone && !excused) {
            verdict.judge(Rule.C3);
            violate(granted, lost.at(), "was reported as lost after it had been released in time");
        }
    }

    /** Returns whether the clocks jumped meanwhile, or of two locks that were acquired together the other one was lost. */
    private static boolean mayHideIt(Entry entry, Entry granted, Entry thrown) {
        return entry.is(What.CLOCKS_JUMPED)
                ? entry.at() >= granted.at() && entry.at() <= thrown.at()
                : entry.is(What.RELEASE_LOST) && entry.at() == thrown.at() && entry.op() != granted.op();
    }

    /**
     * Returns the denial of a hold. A hold that is lost during the wait for another lock of the same group has no
     * holder yet, and is acquired again, as another hold.
     */
    private static @Nullable Entry deniedOf(List<Entry> op, Entry granted) {
        int from = op.indexOf(granted);
        Entry hold = null;
        for (Entry entry : op.subList(0, from)) {
            hold = entry.is(What.SERVER_GRANTED) ? entry : hold;
        }
        for (Entry entry : op.subList(from, op.size())) {
            if (entry.is(What.DENIED) && (hold == null || hold.note().equals(entry.note()))) {
                return entry;
            }
        }
        return null;
    }

    private void violate(Entry granted, long at, String text) {
        verdict.violate(Rule.C3, at, granted.lock(), "op " + granted.op() + " " + text);
    }
}
