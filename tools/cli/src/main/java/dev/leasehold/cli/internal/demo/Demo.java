package dev.leasehold.cli.internal.demo;

import dev.leasehold.cli.internal.demo.Verdict.Check;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Directs the players through the draws. Closing it ends the players and deletes their keys from Redis. */
final class Demo implements AutoCloseable {

    static final int PLAYERS = 5;

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration DRAW_LIMIT = Duration.ofSeconds(30);

    private final String uri;
    private final String prefix;
    private final Duration lease;
    private final Lottery lottery;
    private final Timeline timeline;
    private final Notes notes;
    private final List<PlayerProcess> players = new ArrayList<>();
    private final Map<Integer, Integer> victims = new ConcurrentHashMap<>();

    /** Connects to the server; a lease of zero means that the players use no lock. */
    Demo(String uri, String prefix, Duration lease, Timeline timeline) {
        this.uri = uri;
        this.prefix = prefix;
        this.lease = lease;
        this.lottery = Lottery.open(uri, prefix);
        this.timeline = timeline;
        this.notes = new Notes(this::onNote);
    }

    /** Plays one draw without locks, and checks whether it was drawn once. */
    List<Check> withoutLock() throws InterruptedException {
        startPlayers();
        start(1, "---- Draw 1: five processes, no lock, 10 winners out of 1,000, to be drawn once ----", "");
        awaitDone(1, PLAYERS);
        return verdict().withoutLock();
    }

    /** Plays the three draws with the lock, and checks whether the lock held. */
    List<Check> withLock() throws InterruptedException {
        startPlayers();
        start(1, "---- Draw 1: five processes, one lock, 10 winners out of 1,000, to be drawn once ----", "");
        awaitDone(1, PLAYERS);
        start(2, "---- Draw 2: the holder is frozen for longer than its lease ----", Player.PAUSE);
        freezeHolder();
        awaitDone(2, PLAYERS);
        start(3, "---- Draw 3: the holder is killed ----", Player.PAUSE);
        killHolder();
        awaitDone(3, PLAYERS - 1);
        return verdict().withLock();
    }

    private Verdict verdict() {
        Map<Integer, String> stored =
                IntStream.rangeClosed(1, 3).boxed().collect(Collectors.toMap(draw -> draw, lottery::winners));
        return new Verdict(notes.all(), stored, lease);
    }

    private void startPlayers() throws InterruptedException {
        for (int number = 1; number <= PLAYERS; number++) {
            players.add(PlayerProcess.start(PlayerMain.class, number, uri, prefix, lease, notes));
        }
        notes.await("five processes to be ready", START_LIMIT, PLAYERS, note -> note.event() == Event.READY);
    }

    /** Starts a draw; all players receive the order within a millisecond. */
    private void start(int draw, String title, String option) {
        notes.add(Note.of(Event.STARTED, 0, draw, title));
        players.forEach(player -> player.order("draw " + draw + option));
    }

    private void freezeHolder() throws InterruptedException {
        Note half = notes.await("the middle of draw 2", DRAW_LIMIT, note -> note.is(Event.HALF, 2));
        PlayerProcess holder = players.get(half.player() - 1);
        holder.signal("STOP");
        notes.add(Note.of(Event.FROZEN, holder.number(), 2, ""));
        long frozen = System.nanoTime();
        Predicate<Note> byAnother = note -> note.is(Event.DREW, 2) && note.player() != holder.number();
        notes.await("another player to draw", lease.plus(DRAW_LIMIT), byAnother);
        Duration longer = lease.plusMillis(500).minusNanos(System.nanoTime() - frozen);
        notes.pause(longer);
        holder.order("on");
        notes.add(Note.of(
                Event.THAWED,
                holder.number(),
                2,
                "after " + Duration.ofNanos(System.nanoTime() - frozen).toMillis() + " ms"));
        holder.signal("CONT");
    }

    private void killHolder() throws InterruptedException {
        Note half = notes.await("the middle of draw 3", DRAW_LIMIT, note -> note.is(Event.HALF, 3));
        PlayerProcess holder = players.get(half.player() - 1);
        holder.kill();
        notes.add(Note.of(Event.KILLED, holder.number(), 3, ""));
    }

    private void awaitDone(int draw, int count) throws InterruptedException {
        Duration limit = lease.plus(DRAW_LIMIT);
        notes.await("the end of draw " + draw, limit, count, note -> note.is(Event.DONE, draw));
    }

    /** Chooses the first player that pauses in a draw as the one to freeze or kill; the others continue immediately. */
    private void onNote(Note note) {
        timeline.add(note);
        if (note.event() == Event.HALF && note.draw() > 1 && victims.putIfAbsent(note.draw(), note.player()) != null) {
            players.get(note.player() - 1).order("on");
        }
    }

    @Override
    public void close() {
        players.forEach(PlayerProcess::destroy);
        try (lottery) {
            lottery.clean();
        }
    }
}
