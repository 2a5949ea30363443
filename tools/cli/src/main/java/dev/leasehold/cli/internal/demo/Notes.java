package dev.leasehold.cli.internal.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All records of the processes so far, in order of arrival. Thread-safe. */
final class Notes {

    private final ReentrantLock state = new ReentrantLock();
    private final Condition changed = state.newCondition();
    private final List<Note> all = new ArrayList<>();
    private final Consumer<Note> listener;
    private @Nullable String failure;

    /**
     * Creates an empty collection.
     *
     * @param listener receives each record on the thread that adds it, before any thread that waits for it
     */
    Notes(Consumer<Note> listener) {
        this.listener = listener;
    }

    void add(Note entry) {
        listener.accept(entry);
        state.lock();
        try {
            all.add(entry);
            if (entry.event() == Event.FAILED) {
                failure = "player " + entry.player() + " failed: " + entry.detail();
            }
            changed.signalAll();
        } finally {
            state.unlock();
        }
    }

    List<Note> all() {
        state.lock();
        try {
            return List.copyOf(all);
        } finally {
            state.unlock();
        }
    }

    /** Waits for the first record that matches, and returns it. */
    Note await(String what, Duration limit, Predicate<Note> wanted) throws InterruptedException {
        return await(what, limit, 1, wanted);
    }

    /** Waits for {@code count} records that match, and returns the last of them. */
    Note await(String what, Duration limit, int count, Predicate<Note> wanted) throws InterruptedException {
        long left = limit.toNanos();
        state.lock();
        try {
            while (true) {
                Optional<Note> last =
                        all.stream().filter(wanted).skip(count - 1).findFirst();
                if (last.isPresent()) {
                    return last.get();
                }
                if (failure != null) {
                    throw new DemoFailedException(failure);
                }
                if (left <= 0) {
                    throw new DemoFailedException("gave up after " + limit.toSeconds() + " s of waiting for: " + what);
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            state.unlock();
        }
    }

    /** Throws if a player has failed. */
    void check() {
        state.lock();
        try {
            if (failure != null) {
                throw new DemoFailedException(failure);
            }
        } finally {
            state.unlock();
        }
    }

    /** Waits for the given time, or until a player fails. */
    void pause(Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        state.lock();
        try {
            while (System.nanoTime() < end && failure == null) {
                changed.awaitNanos(end - System.nanoTime());
            }
        } finally {
            state.unlock();
        }
    }
}
