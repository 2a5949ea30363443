package dev.leasehold.simulation.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * C13: the holder of a lock at the moment when Redis takes a release request receives it once, by its next renewal;
 * no other does. A request concerns a hold in Redis. A lease to which that hold is handed off within the client
 * receives it, too, as does a named owner that acquires reentrantly, and so do the readers beside the one that a writer
 * became.
 */
final class RequestRule {

    private final History history;
    private final Verdict verdict;
    private final Map<String, List<Entry>> requested = new HashMap<>();
    private final Set<Integer> received = new HashSet<>();
    private final Set<String> shared = new HashSet<>();

    RequestRule(History history, Verdict verdict) {
        this.history = history;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            if (entry.is(What.SERVER_REQUESTED)) {
                requested
                        .computeIfAbsent(entry.lock(), lock -> new ArrayList<>())
                        .add(entry);
                inTime(entry);
            } else if (entry.is(What.SERVER_SHARED)) {
                shared.add(entry.note());
            } else if (entry.is(What.REQUESTED)) {
                received(entry);
            }
        }
    }

    private void received(Entry entry) {
        verdict.judge(Rule.C13);
        if (!received.add(entry.op())) {
            violate(entry, "received a release request twice");
        }
        Set<String> holds = new HashSet<>();
        for (Entry one : history.of(entry.op())) {
            if (one.is(What.SERVER_GRANTED)) {
                holds.add(one.note());
            }
        }
        boolean meant = requested.getOrDefault(entry.lock(), List.of()).stream()
                .anyMatch(one -> holds.contains(one.note())
                        || one.sameOwner(entry)
                        || (shared.contains(one.note()) && entry.owner().equals(Entry.READERS)));
        if (!meant) {
            violate(entry, "received a release request for another hold");
        }
    }

    private void inTime(Entry entry) {
        List<Entry> op = history.of(entry.op());
        Entry listens = History.first(op, What.LISTENS);
        if (listens == null || listens.until() == 0 || ofAnEarlierHold(entry, op, listens)) {
            return;
        }
        long from = Math.max(entry.at(), listens.at());
        long due = from + listens.until() + History.SLOW;
        Entry over = History.first(op, What.LOST, What.RELEASE_INVOKED, What.SERVER_RESUMED);
        if ((over != null && over.at() <= due) || !history.undisturbed(entry.client(), listens.at(), due)) {
            return;
        }
        verdict.judge(Rule.C13);
        Entry reported = History.first(op, What.REQUESTED);
        if (reported == null || reported.at() > due) {
            violate(entry, "holds and renews, and did not receive the release request");
        }
    }

    /**
     * Returns whether the acquisition, which got no answer, lost the requested hold and went on with another one, perhaps under the
     * same id: its token is another, or, as permits have none, the first had ended before Redis granted again.
     */
    private static boolean ofAnEarlierHold(Entry requested, List<Entry> op, Entry listens) {
        Entry before = null;
        Entry hold = null;
        boolean ended = false;
        for (Entry entry : op) {
            if (entry.is(What.SERVER_GRANTED) && entry.at() > requested.at() && entry.at() <= listens.at()) {
                ended |= hold != null && hold.until() < entry.at();
            }
            before = entry.is(What.SERVER_GRANTED) && entry.at() <= requested.at() ? entry : before;
            hold = entry.is(What.SERVER_GRANTED) && entry.at() <= listens.at() ? entry : hold;
        }
        boolean another = hold != null
                && (ended
                        || !hold.note().equals(requested.note())
                        || (before != null && hold.token() != before.token()));
        return requested.at() < listens.at() && another;
    }

    private void violate(Entry entry, String text) {
        verdict.violate(Rule.C13, entry.at(), entry.lock(), "op " + entry.op() + " " + text);
    }
}
