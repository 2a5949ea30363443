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

/** All that the processes recorded so far, in the order of arrival. Thread-safe. */
final class Notes {

    private final ReentrantLock state = new ReentrantLock();
    private final Condition changed = state.newCondition();
    private final List<Note> all = new ArrayList<>();
    private final Consumer<Note> listener;
    private @Nullable String failure;

    /**
     * An empty collection.
     *
     * @param listener is told of each record, before anybody who waits for it; on the thread that adds it
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

    /** The first record of a kind, for which this waits. */
    Note await(String what, Duration limit, Predicate<Note> wanted) throws InterruptedException {
        return await(what, limit, 1, wanted);
    }

    /** The last of the first so many notes of a kind, for which this waits. */
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

    /** Lets a time pass, unless something fails meanwhile. */
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
