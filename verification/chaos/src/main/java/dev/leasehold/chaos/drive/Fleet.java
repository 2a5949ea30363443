package dev.leasehold.chaos.drive;

import dev.leasehold.chaos.fault.Nemeses;
import dev.leasehold.chaos.fault.Workers;
import dev.leasehold.chaos.history.HistoryFile;
import dev.leasehold.chaos.history.What;
import dev.leasehold.chaos.work.WorkerProcess;
import dev.leasehold.tck.ClockShim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The worker processes. */
final class Fleet implements Workers, AutoCloseable {

    private static final Duration HOUR = Duration.ofHours(1);

    private static final int SHOWN = 200;

    private final ReentrantLock turn = new ReentrantLock();
    private final List<Child> children = new ArrayList<>();
    private final List<Child> stopped = new ArrayList<>();
    private final HistoryFile history;
    private final Function<String, List<String>> arguments;
    private final String changed;
    private final @Nullable ClockShim clocks;
    private int started;

    Fleet(HistoryFile history, Function<String, List<String>> arguments, String changed, @Nullable ClockShim clocks) {
        this.history = history;
        this.arguments = arguments;
        this.changed = changed;
        this.clocks = clocks;
    }

    /** Starts so many, and waits until all work. */
    void start(int size) {
        List<Child> some = new ArrayList<>();
        for (int n = 0; n < size; n++) {
            some.add(make());
        }
        some.forEach(child -> child.answer("ready"));
        children.addAll(some);
    }

    private Child make() {
        String name = "w" + started++;
        return new Child(
                name,
                WorkerProcess.class,
                arguments.apply(name),
                changed,
                clocks == null ? Map.of() : clocks.environment());
    }

    private @Nullable Child take(Random random) {
        turn.lock();
        try {
            // At least one remains at work.
            if (children.size() - stopped.size() < 2) {
                return null;
            }
            Child child;
            do {
                child = children.get(random.nextInt(children.size()));
            } while (stopped.contains(child));
            stopped.add(child);
            return child;
        } finally {
            turn.unlock();
        }
    }

    private void giveBack(Child child, @Nullable Child instead) {
        turn.lock();
        try {
            stopped.remove(child);
            if (instead != null) {
                children.remove(child);
                children.add(instead);
            }
        } finally {
            turn.unlock();
        }
    }

    @Override
    public void stopOne(Random random, long millis) throws InterruptedException {
        Child child = take(random);
        if (child == null) {
            throw new IllegalStateException("no worker is available");
        }
        try {
            history.add(System.nanoTime(), child.name, "", What.STOPPED, 0, "");
            child.signal("STOP");
            Nemeses.pause(millis);
        } finally {
            child.signal("CONT");
            history.add(System.nanoTime(), child.name, "", What.CONTINUED, 0, "");
            giveBack(child, null);
        }
    }

    @Override
    public void moveClockOfOne(Random random, long millis) throws InterruptedException {
        Child child = take(random);
        if (child == null || clocks == null) {
            throw new IllegalStateException("no worker is available whose clock can be moved");
        }
        try {
            history.add(System.nanoTime(), child.name, "", What.CLOCK_MOVED, 0, "");
            clocks.set(child.pid(), random.nextBoolean() ? HOUR : HOUR.negated());
            Nemeses.pause(millis);
        } finally {
            history.add(System.nanoTime(), child.name, "", What.CLOCK_MOVED, 0, "");
            clocks.set(child.pid(), Duration.ZERO);
            giveBack(child, null);
        }
    }

    @Override
    public void killOne(Random random) throws InterruptedException {
        Child child = take(random);
        if (child == null) {
            throw new IllegalStateException("no worker is available");
        }
        history.add(System.nanoTime(), child.name, "", What.KILLED, 0, "");
        child.kill();
        Child next = make();
        next.answer("ready");
        giveBack(child, next);
    }

    /** Returns heap and threads of each. */
    List<Usage.Worker> usage() {
        children.forEach(child -> child.order("usage"));
        return children.stream()
                .map(child -> Usage.Worker.parse(child.name, child.answer("usage")))
                .toList();
    }

    /** Ends their work, and returns what did not end: threads that work, threads of a closed client, or a process. */
    List<String> stop() throws InterruptedException {
        children.forEach(child -> child.order("stop"));
        List<String> stuck = new ArrayList<>();
        for (Child child : children) {
            if (!child.answer("stopped").equals("true")) {
                stuck.add("threads of " + child.name);
            }
            String left = child.answer("closed");
            if (!left.isEmpty()) {
                stuck.add("threads of " + child.name + " after its client was closed: " + shortened(left));
            }
            if (!child.ended()) {
                stuck.add("the process " + child.name);
            }
        }
        return stuck;
    }

    private static String shortened(String text) {
        return text.length() > SHOWN ? text.substring(0, SHOWN) + " ..." : text;
    }

    @Override
    public void close() {
        children.forEach(Child::close);
    }
}
