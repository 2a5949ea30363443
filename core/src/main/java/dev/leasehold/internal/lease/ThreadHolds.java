package dev.leasehold.internal.lease;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.ReadKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The holds of the threads of this client through {@link java.util.concurrent.locks.Lock}, with their counts. A thread is
 * identified by its object, not by its id, which may be reused. Only the thread itself changes its holds; other threads read
 * them for messages only.
 */
public final class ThreadHolds {

    private final Map<HoldKey, Hold> holds = new ConcurrentHashMap<>();

    /** The number of named owners as which a thread holds a lock. */
    private final Map<HoldKey, Integer> byName = new ConcurrentHashMap<>();

    /** A lock, its named owner, if any, and the thread. */
    private record HoldKey(LockKey key, @Nullable String owner, Thread thread) {}

    /** The hold of a thread: a lease and a count. */
    public static final class Hold {
        public LeaseRecord record;
        public int count = 1;
        /** The read hold of a writer that also reads, under the same lease. */
        @Nullable
        public Hold reader;

        Hold(LeaseRecord record) {
            this.record = record;
        }
    }

    /** The hold of the current thread; null if it has none. */
    @Nullable
    public Hold current(LockKey key, @Nullable String owner) {
        return holds.get(new HoldKey(key, owner, Thread.currentThread()));
    }

    /** Returns whether the current thread holds the lock as a named owner, whatever its name. */
    public boolean isNamedOwner(LockKey key) {
        return byName.containsKey(new HoldKey(key, null, Thread.currentThread()));
    }

    public Hold put(LockKey key, @Nullable String owner, LeaseRecord record) {
        if (owner != null) {
            byName.merge(new HoldKey(key, null, Thread.currentThread()), 1, Integer::sum);
        }
        Hold hold = new Hold(record);
        holds.put(new HoldKey(key, owner, Thread.currentThread()), hold);
        return hold;
    }

    public void remove(LockKey key, @Nullable String owner) {
        Hold removed = holds.remove(new HoldKey(key, owner, Thread.currentThread()));
        if (removed != null && owner != null) {
            byName.computeIfPresent(
                    new HoldKey(key, null, Thread.currentThread()), (held, owners) -> owners == 1 ? null : owners - 1);
        }
    }

    /** Removes the holds of a thread that ended without unlocking. */
    void forget(LeaseRecord record) {
        Thread thread = record.thread();
        if (record.tiedToThread() && thread != null && !thread.isAlive()) {
            String owner = record.ofNamedOwner() ? record.owner().field() : null;
            holds.remove(new HoldKey(record.key(), owner, thread));
            holds.remove(new HoldKey(ReadKey.of(record.key()), null, thread));
            byName.remove(new HoldKey(record.key(), null, thread));
        }
    }

    /** Returns a thread of this client that holds the lock, for a message; null if there is none. */
    @Nullable
    public Thread anyHolder(LockKey key) {
        for (HoldKey held : holds.keySet()) {
            if (held.key.equals(key)) {
                return held.thread;
            }
        }
        return null;
    }
}
