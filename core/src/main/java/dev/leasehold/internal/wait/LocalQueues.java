package dev.leasehold.internal.wait;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.ReadKey;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The local queues of this client, one for each lock that it waits for. All changes of a queue are made inside the map, one
 * after another; nothing outside this package is called from within, except that readers are entered into
 * {@link ReaderGroups}.
 *
 * <p>An acquisition that finds no queue is <em>alone</em>: it has no queue until Redis does not grant its first request, or
 * another thread looks for the queue. So an uncontended acquisition costs no change of the map. Every method here that finds
 * an acquisition alone at the lock first gives it a queue: other threads see no difference.
 */
public final class LocalQueues {

    /**
     * A power of two. Two locks that share a slot cost the later acquisition a change of the map and, since it is not alone, the
     * full scripts: with 64 threads on 64 names and 32 slots that was about every other one.
     */
    private static final int SLOTS = 1024;

    private final Map<LockKey, LocalQueue> queues = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable LocalQueueEntry> alone = new AtomicReferenceArray<>(SLOTS);

    /** Whether an acquisition ever waited to read: where nothing does, no queue of readers is searched. */
    private volatile boolean readersSeen;

    public LocalQueues() {}

    private static int slot(LockKey key) {
        int hash = key.hashCode();
        return (hash ^ (hash >>> 16) ^ (hash >>> 8)) & (SLOTS - 1);
    }

    /** An acquisition begins: alone, or at the end of the queue if others wait, or if a lease will hand off the lock. */
    void arrive(LocalQueueEntry entry) {
        LockKey key = entry.key();
        if (key instanceof ReadKey) {
            readersSeen = true;
        }
        // A queue that began after the first look does not know of an entry that is alone.
        if (queues.containsKey(key) || !alone.compareAndSet(slot(key), null, entry) || queues.containsKey(key)) {
            enqueue(entry);
        }
    }

    /** Puts an entry into the queue of its lock, unless it was there before. By the acquisition itself, before it has ended. */
    void enqueue(LocalQueueEntry entry) {
        if (entry.queue() == null) {
            Boolean unused = always(entry.key(), queue -> {
                if (entry.queue() == null) {
                    queue.add(entry);
                }
                return true;
            });
        }
    }

    /** Ends an acquisition that is still alone. Returns false if it has, or had, a queue. */
    boolean endAlone(LocalQueueEntry entry) {
        return entry.queue() == null && alone.compareAndSet(slot(entry.key()), entry, null);
    }

    /** Changes the queue of a lock, if there is one. Returns what the change does; null if there is none. */
    <R> @Nullable R ifPresent(LockKey key, Function<LocalQueue, @Nullable R> change) {
        Change<R> one = new Change<>(change);
        BiFunction<LockKey, @Nullable LocalQueue, @Nullable LocalQueue> changed = (name, before) -> {
            LocalQueue queue = withThatAlone(name, before);
            return queue == null ? null : one.apply(queue);
        };
        // If the slot is empty because another thread just gives the acquisition its queue, this waits for that thread.
        LocalQueue unused =
                thatAlone(key) == null ? queues.computeIfPresent(key, changed) : queues.compute(key, changed);
        return one.result;
    }

    /** Changes the queue of a lock, which begins if there is none. Returns what the change does. */
    <R> R always(LockKey key, Function<LocalQueue, R> change) {
        Change<R> one = new Change<>(change);
        queues.compute(key, (name, before) -> {
            LocalQueue queue = withThatAlone(name, before);
            return one.apply(queue == null ? new LocalQueue(name) : queue);
        });
        // One that arrived while the queue began has seen no queue, and the queue has not seen it.
        enqueueThatAlone(key);
        R result = one.result;
        if (result == null) {
            throw new IllegalStateException("a change without a result");
        }
        return result;
    }

    private @Nullable LocalQueueEntry thatAlone(LockKey key) {
        LocalQueueEntry entry = alone.get(slot(key));
        return entry != null && entry.key().equals(key) ? entry : null;
    }

    private void enqueueThatAlone(LockKey key) {
        if (thatAlone(key) != null) {
            queues.compute(key, this::withThatAlone);
        }
    }

    /** Inside the map: gives an acquisition that is alone at the lock its queue, unless it ends just now. */
    private @Nullable LocalQueue withThatAlone(LockKey key, @Nullable LocalQueue before) {
        LocalQueueEntry entry = thatAlone(key);
        if (entry == null || !alone.compareAndSet(slot(key), entry, null)) {
            return before;
        }
        LocalQueue queue = before == null ? new LocalQueue(key) : before;
        queue.add(entry);
        return queue;
    }

    /** A change of one queue, and what came of it. */
    private static final class Change<R> {
        private final Function<LocalQueue, @Nullable R> change;
        private @Nullable R result;

        Change(Function<LocalQueue, @Nullable R> change) {
            this.change = change;
        }

        /** Returns the queue; null if it ends. */
        @Nullable
        LocalQueue apply(LocalQueue queue) {
            result = change.apply(queue);
            return queue.unused() ? null : queue;
        }
    }

    /** The queue of a lock; null if there is none. Not inside a change. */
    @Nullable
    LocalQueue of(LockKey key) {
        enqueueThatAlone(key);
        return queues.get(key);
    }

    /** The queue of the readers of a lock; null if there is none, or if the key is not that of a writer. Not inside a change. */
    @Nullable
    LocalQueue readersOf(LockKey key) {
        return readersSeen && key.kind() == LockKind.STANDARD ? of(ReadKey.of(key)) : null;
    }

    /** Returns whether the lock will be handed to this waiter to read, from a writer of this process. Also inside a change. */
    boolean writersHandOffTo(ReadKey key, LocalQueueEntry reader) {
        LocalQueue queue = queues.get(key.write());
        return queue != null && queue.handsOffTo(reader);
    }

    /** The first waiter of the queue of a lock, if there is one and its queue matches. */
    Optional<LocalQueueEntry> matching(LockKey key, Predicate<LocalQueue> which) {
        return Optional.ofNullable(ifPresent(key, queue -> {
            LocalQueueEntry first = queue.first();
            return first != null && which.test(queue) ? first : null;
        }));
    }

    /** The entries of a queue that match, in their order. */
    List<LocalQueueEntry> entries(LockKey key, Predicate<LocalQueueEntry> which) {
        List<LocalQueueEntry> some = ifPresent(key, queue -> queue.entries(which));
        return some == null ? List.of() : some;
    }

    /** All queues, those of acquisitions that were alone included. */
    void forEach(Consumer<LocalQueue> each) {
        for (int i = 0; i < SLOTS; i++) {
            LocalQueueEntry entry = alone.get(i);
            if (entry != null) {
                enqueueThatAlone(entry.key());
            }
        }
        queues.values().forEach(each);
    }

    /** The queues of locks for which more than one request was needed. */
    Collection<LocalQueue> all() {
        return queues.values();
    }

    int size() {
        return queues.size();
    }
}
