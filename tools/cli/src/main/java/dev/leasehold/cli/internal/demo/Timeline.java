package dev.leasehold.cli.internal.demo;

import dev.leasehold.cli.internal.Text;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Prints events as they happen. Records of several processes arrive slightly out of order, so each is buffered for a
 * moment and printed in order. Thread-safe.
 */
final class Timeline implements AutoCloseable {

    private static final long BUFFERED_NANOS = TimeUnit.MILLISECONDS.toNanos(60);
    private static final long TICK_MILLIS = 20;

    private static final Set<Event> DIRECTOR = EnumSet.of(Event.STARTED, Event.FROZEN, Event.THAWED, Event.KILLED);

    private final PrintWriter out;
    private final long start = System.nanoTime();
    private final ReentrantLock state = new ReentrantLock();
    private final Queue<Line> buffered = new PriorityQueue<>(Comparator.comparingLong(Line::nanos));
    private final ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "timeline");
        thread.setDaemon(true);
        return thread;
    });

    private record Line(long nanos, String source, String text) {}

    Timeline(PrintWriter out) {
        this.out = out;
        ScheduledFuture<?> unused = ticker.scheduleAtFixedRate(
                () -> print(System.nanoTime() - BUFFERED_NANOS), 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Adds a record, unless it has no text. */
    void add(Note note) {
        String words = words(note);
        if (!words.isEmpty()) {
            boolean director = DIRECTOR.contains(note.event());
            buffer(note.nanos(), director ? "demo" : "player " + note.player(), words);
        }
    }

    /** Adds a remark of the director. */
    void say(String what) {
        buffer(System.nanoTime(), "demo", what);
    }

    /** Prints all buffered lines, and stops the ticker. */
    @Override
    public void close() {
        ticker.shutdownNow();
        print(Long.MAX_VALUE);
    }

    private void buffer(long nanos, String source, String text) {
        state.lock();
        try {
            buffered.add(new Line(nanos, source, text));
        } finally {
            state.unlock();
        }
    }

    private void print(long until) {
        state.lock();
        try {
            while (!buffered.isEmpty()
                    && (until == Long.MAX_VALUE || buffered.element().nanos() - until < 0)) {
                Line line = buffered.remove();
                double seconds = (line.nanos() - start) / 1e9;
                out.printf(Locale.ROOT, "%8.3f s  %-8s  %s%n", seconds, line.source(), Text.line(line.text()));
            }
            out.flush();
        } finally {
            state.unlock();
        }
    }

    private static String words(Note note) {
        return switch (note.event()) {
            case READY -> "is ready, process " + note.detail();
            case ACQUIRED -> "has the lock, token " + note.token();
            case FOUND -> "finds the winners drawn, and does nothing";
            case HALF -> "has drawn half of the winners" + lock(note);
            case WENT_ON ->
                note.token() > 0 && !note.held() ? "wakes up, and continues as if nothing had happened" : "";
            case DREW -> "has drawn " + note.detail();
            case REFUSED -> "writes its winners, and is refused: token " + note.token() + " is stale";
            case LOST -> "is told that its lease is lost: " + note.detail();
            case RELEASED -> "releases the lock";
            case DONE -> "";
            case FAILED -> "fails: " + note.detail();
            case STARTED -> note.detail();
            case FROZEN -> "freezes player " + note.player() + " (SIGSTOP) in the middle of its draw";
            case THAWED -> "resumes player " + note.player() + " (SIGCONT), " + note.detail();
            case KILLED -> "kills player " + note.player() + " (SIGKILL) in the middle of its draw";
        };
    }

    private static String lock(Note note) {
        return note.token() == 0 ? ", without a lock" : "";
    }
}
