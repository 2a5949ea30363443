package dev.leasehold.cli.internal.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Judges the records of the processes. A pure function: the same records always give the same verdict. */
final class Verdict {

    /** One check and its result. */
    record Check(boolean passed, String text) {}

    /** The longest time from the end of a killed holder's lease to the next grant, on a busy machine. */
    private static final Duration MARGIN = Duration.ofSeconds(5);

    /** The longest time by which the next grant may seem early: a holder records its grant after Redis gave it. */
    private static final Duration REPLY = Duration.ofMillis(250);

    private final List<Note> notes;
    private final Map<Integer, String> stored;
    private final Duration lease;

    /**
     * Creates a judge.
     *
     * @param notes all records, in any order
     * @param stored the winners of each draw, as Redis has them at the end
     * @param lease the lease of the players
     */
    Verdict(List<Note> notes, Map<Integer, String> stored, Duration lease) {
        this.notes =
                notes.stream().sorted(Comparator.comparingLong(Note::nanos)).toList();
        this.stored = stored;
        this.lease = lease;
    }

    /** Returns the checks that must pass with the lock. */
    List<Check> withLock() {
        return List.of(drawnOnce(1), exclusion(), rising(), frozen(), killed());
    }

    /** Returns the check that must pass in any case, for processes without a lock. */
    List<Check> withoutLock() {
        return List.of(drawnOnce(1));
    }

    private Check drawnOnce(int draw) {
        List<Note> draws = of(Event.DREW, draw).toList();
        if (draws.size() != 1) {
            return new Check(false, doubleDraws(draw, draws));
        }
        Note only = draws.get(0);
        boolean good = isComplete(only) && Lottery.join(only.winners()).equals(stored.get(draw));
        return new Check(
                good,
                "draw " + draw + " was drawn exactly once, by player " + only.player() + ": "
                        + new HashSet<>(only.winners()).size() + " different winners out of 1,000"
                        + (good ? "" : ", which is not what Redis has: " + stored.get(draw)));
    }

    private static String doubleDraws(int draw, List<Note> draws) {
        if (draws.isEmpty()) {
            return "draw " + draw + " was not drawn at all";
        }
        long tickets = draws.stream()
                .flatMap(note -> note.winners().stream())
                .distinct()
                .count();
        return "draw " + draw + " was drawn " + draws.size() + " times: " + (draws.size() - 1) + " double draws, "
                + tickets + " tickets were announced as winners of " + Lottery.PRIZES + " prizes";
    }

    private static boolean isComplete(Note draw) {
        return draw.winners().size() == Lottery.PRIZES
                && new HashSet<>(draw.winners()).size() == Lottery.PRIZES
                && draw.winners().stream().allMatch(ticket -> ticket >= 1 && ticket <= Lottery.TICKETS);
    }

    /** Checks that no other player is granted the lock before the last moment at which the holder relied on it. */
    private Check exclusion() {
        List<Note> grants = of(Event.ACQUIRED).toList();
        List<String> overlaps = new ArrayList<>();
        for (int i = 0; i + 1 < grants.size(); i++) {
            Note next = grants.get(i + 1);
            if (lastReliance(grants.get(i)) > next.nanos()) {
                overlaps.add("player " + grants.get(i).player() + " and player " + next.player());
            }
        }
        String text = "no player relied on the lock while another held it, in " + grants.size() + " holds";
        return overlaps.isEmpty() && !grants.isEmpty()
                ? new Check(true, text)
                : new Check(false, "relied on the lock at the same time: " + String.join("; ", overlaps));
    }

    private long lastReliance(Note grant) {
        return notes.stream()
                .filter(note -> note.player() == grant.player() && note.draw() == grant.draw())
                .filter(note -> note.token() == grant.token())
                .filter(note -> note.held() || note.event() == Event.RELEASED)
                .mapToLong(Note::nanos)
                .max()
                .orElse(grant.nanos());
    }

    private Check rising() {
        List<Long> tokens = of(Event.ACQUIRED).map(Note::token).toList();
        boolean rises = tokens.equals(tokens.stream().sorted().distinct().toList());
        return new Check(
                rises && !tokens.isEmpty(),
                rises ? "the fencing token rose with every hold" : "the fencing tokens did not always rise: " + tokens);
    }

    private Check frozen() {
        int draw = 2;
        Optional<Note> freeze = of(Event.FROZEN, draw).findFirst();
        Optional<Note> thaw = of(Event.THAWED, draw).findFirst();
        List<Note> draws = of(Event.DREW, draw).toList();
        if (freeze.isEmpty() || thaw.isEmpty() || draws.size() != 1) {
            return new Check(
                    false,
                    "draw " + draw + ": frozen and resumed "
                            + of(Event.THAWED, draw).count() + " times, drawn " + draws.size()
                            + " times, instead of once each");
        }
        int player = freeze.get().player();
        Note drawn = draws.get(0);
        Optional<Note> lost =
                of(Event.LOST, draw).filter(n -> n.player() == player).findFirst();
        Optional<Note> refused =
                of(Event.REFUSED, draw).filter(n -> n.player() == player).findFirst();
        boolean passed = lost.isPresent()
                && refused.isPresent()
                && refused.get().token() < drawn.token()
                && drawn.player() != player
                && drawn.nanos() < thaw.get().nanos()
                && thaw.get().nanos() - freeze.get().nanos() > lease.toNanos()
                && drawnOnce(draw).passed();
        return new Check(
                passed,
                passed
                        ? "draw " + draw + ": frozen player " + player
                                + " learned that its lease was lost, and its late write"
                                + " was refused; the draw of player " + drawn.player() + " stands"
                        : "draw " + draw + ": frozen player " + player
                                + (lost.isPresent() ? "" : " was not notified of the loss,")
                                + (refused.isPresent() ? " was refused" : " was not refused")
                                + ", and the draw of player "
                                + drawn.player() + " was not the only one in the meantime");
    }

    private Check killed() {
        int draw = 3;
        Optional<Note> kill = of(Event.KILLED, draw).findFirst();
        if (kill.isEmpty()) {
            return new Check(false, "draw " + draw + ": no player was killed");
        }
        int player = kill.get().player();
        Optional<Note> grant =
                of(Event.ACQUIRED, draw).filter(n -> n.player() == player).findFirst();
        Optional<Note> next =
                of(Event.ACQUIRED, draw).filter(n -> n.player() != player).findFirst();
        if (grant.isEmpty() || next.isEmpty()) {
            return new Check(false, "draw " + draw + ": no player got the lock after the killed player " + player);
        }
        Duration held = between(grant.get(), next.get());
        Duration waited = between(kill.get(), next.get());
        boolean passed = held.plus(REPLY).compareTo(lease) >= 0
                && waited.compareTo(lease.plus(MARGIN)) <= 0
                && drawnOnce(draw).passed();
        String text = "draw " + draw + ": player " + player + " was killed, player "
                + next.get().player() + " got the lock " + waited.toMillis() + " ms later, ";
        return new Check(
                passed,
                text
                        + (passed
                                ? "when the lease of " + lease.toMillis() + " ms had ended, and drew"
                                : "with a lease of " + lease.toMillis()
                                        + " ms: too early, too late, or not drawn once"));
    }

    private static Duration between(Note from, Note to) {
        return Duration.ofNanos(to.nanos() - from.nanos());
    }

    private Stream<Note> of(Event event) {
        return notes.stream().filter(note -> note.event() == event);
    }

    private Stream<Note> of(Event event, int draw) {
        return notes.stream().filter(note -> note.is(event, draw));
    }
}
