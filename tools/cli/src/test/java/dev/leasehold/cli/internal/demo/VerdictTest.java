package dev.leasehold.cli.internal.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.internal.demo.Verdict.Check;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Records each possible failure once, and checks that the verdict reports it. */
class VerdictTest {

    private static final String WINNERS = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10";
    private static final Duration LEASE = Duration.ofSeconds(3);

    private final List<Note> notes = new ArrayList<>();
    private final Map<Integer, String> stored = new HashMap<>(Map.of(1, WINNERS, 2, WINNERS, 3, WINNERS));

    VerdictTest() {
        hold(100, 1, 1, 11);
        note(150, 1, Event.HALF, 1, 11, true, "1, 2, 3, 4, 5");
        note(200, 1, Event.DREW, 1, 11, true, WINNERS);
        note(210, 1, Event.RELEASED, 1, 11, false, "");

        hold(1000, 2, 2, 12);
        note(1100, 2, Event.HALF, 2, 12, true, "1, 2, 3, 4, 5");
        note(1110, 2, Event.FROZEN, 2, 0, false, "");
        hold(4100, 3, 2, 13);
        note(4300, 3, Event.DREW, 2, 13, true, WINNERS);
        note(4310, 3, Event.RELEASED, 2, 13, false, "");
        note(4700, 2, Event.THAWED, 2, 0, false, "");
        note(4710, 2, Event.WENT_ON, 2, 12, false, "");
        note(4720, 2, Event.LOST, 2, 12, false, "UNCONFIRMED");
        note(4800, 2, Event.REFUSED, 2, 12, false, WINNERS);

        hold(5000, 4, 3, 14);
        note(5100, 4, Event.KILLED, 3, 0, false, "");
        hold(8050, 5, 3, 15);
        note(8300, 5, Event.DREW, 3, 15, true, WINNERS);
        note(8310, 5, Event.RELEASED, 3, 15, false, "");
    }

    @Test
    void passesARunWithoutFailures() {
        assertThat(verdict()).hasSize(5).allMatch(Check::passed);
    }

    @Test
    void failsARunWithoutRecords() {
        notes.clear();
        assertThat(verdict()).noneMatch(Check::passed);
    }

    @Test
    void countsDoubleDraws() {
        note(220, 5, Event.DREW, 1, 0, false, "11, 12, 13, 14, 15, 16, 17, 18, 19, 20");
        note(230, 4, Event.DREW, 1, 0, false, "11, 12, 13, 14, 15, 16, 17, 18, 19, 21");
        assertFails("drawn 3 times: 2 double draws, 21 tickets");
        assertThat(new Verdict(notes, stored, Duration.ZERO).withoutLock()).noneMatch(Check::passed);
    }

    @Test
    void detectsThatRedisHasOtherWinners() {
        stored.put(1, "1, 2");
        assertFails("not what Redis has: 1, 2");
    }

    @Test
    void detectsAWinnerDrawnTwice() {
        replace(note -> note.is(Event.DREW, 1), "1, 1, 3, 4, 5, 6, 7, 8, 9, 10");
        assertFails("9 different winners");
    }

    @Test
    void detectsAnotherHolderWhileOneReliesOnTheLock() {
        hold(190, 5, 1, 12);
        assertFails("relied on the lock at the same time: player 1 and player 5");
    }

    @Test
    void detectsAnotherHolderBeforeTheRelease() {
        hold(205, 5, 1, 12);
        assertFails("relied on the lock at the same time: player 1 and player 5");
    }

    @Test
    void detectsAFrozenHolderThatStillReliesOnTheLock() {
        note(4711, 2, Event.HALF, 2, 12, true, "");
        assertFails("relied on the lock at the same time: player 2 and player 3");
    }

    @Test
    void detectsTokensThatDoNotRise() {
        hold(9000, 1, 3, 15);
        assertFails("did not always rise");
    }

    @Test
    void detectsALossThatTheHolderWasNotNotifiedOf() {
        notes.removeIf(note -> note.event() == Event.LOST);
        assertFails("was not notified of the loss");
    }

    @Test
    void detectsALateWriteThatWasAccepted() {
        notes.removeIf(note -> note.event() == Event.REFUSED);
        note(4800, 2, Event.DREW, 2, 12, false, WINNERS);
        assertFails("drawn 2 times");
    }

    @Test
    void detectsThatTheHolderWasFrozenForLessThanItsLease() {
        notes.removeIf(note -> note.event() == Event.FROZEN);
        note(2000, 2, Event.FROZEN, 2, 0, false, "");
        assertFails("draw 2: frozen player 2");
    }

    @Test
    void detectsAGrantTooEarlyAfterAKill() {
        hold(6000, 1, 3, 15);
        assertFails("too early");
    }

    @Test
    void detectsAGrantTooLateAfterAKill() {
        notes.removeIf(note -> note.draw() == 3 && note.player() == 5);
        hold(14_000, 5, 3, 15);
        note(14_100, 5, Event.DREW, 3, 15, true, WINNERS);
        assertFails("too late");
    }

    private void assertFails(String text) {
        assertThat(verdict().stream().filter(check -> !check.passed()))
                .isNotEmpty()
                .anyMatch(check -> check.text().contains(text));
    }

    private List<Check> verdict() {
        return new Verdict(notes, stored, LEASE).withLock();
    }

    private void hold(long millis, int player, int draw, long token) {
        note(millis, player, Event.ACQUIRED, draw, token, true, "");
    }

    private void note(long millis, int player, Event event, int draw, long token, boolean held, String detail) {
        notes.add(new Note(millis * 1_000_000, player, event, draw, token, held, detail));
    }

    private void replace(Predicate<Note> which, String detail) {
        notes.replaceAll(note -> which.test(note)
                ? new Note(note.nanos(), note.player(), note.event(), note.draw(), note.token(), note.held(), detail)
                : note);
    }
}
