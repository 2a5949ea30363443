package dev.leasehold.internal.lease;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.ReadKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which threads of this client hold which locks through {@link java.util.concurrent.locks.Lock}, and how often. Keyed by
 * the thread object, not its id, so that virtual threads and reused ids are told apart. An entry is touched by its own
 * thread only, except when it is read for a message.
 */
public final class ThreadHolds {

    private final Map<Place, Hold> holds = new ConcurrentHashMap<>();

    /** One thread and one lock, seen by one named owner or none. */
    private record Place(LockKey key, @Nullable String owner, Thread thread) {}

    /** What a thread has: a lease and a count. */
    public static final class Hold {
        public LeaseRecord record;
        public int count = 1;
        /** For a writer who reads under the same lease: what it has of the readers' side. */
        @Nullable
        public Hold reader;

        Hold(LeaseRecord record) {
            this.record = record;
        }
    }

    @Nullable
    public Hold mine(LockKey key, @Nullable String owner) {
        return holds.get(new Place(key, owner, Thread.currentThread()));
    }

    public Hold put(LockKey key, @Nullable String owner, LeaseRecord record) {
        Hold hold = new Hold(record);
        holds.put(new Place(key, owner, Thread.currentThread()), hold);
        return hold;
    }

    public void remove(LockKey key, @Nullable String owner) {
        holds.remove(new Place(key, owner, Thread.currentThread()));
    }

    /** Forgets what a thread left behind that ended without unlocking. */
    void forget(LeaseRecord record) {
        Thread thread = record.thread();
        if (record.tiedToThread() && thread != null && !thread.isAlive()) {
            String owner = record.ofNamedOwner() ? record.owner().field() : null;
            holds.remove(new Place(record.key(), owner, thread));
            holds.remove(new Place(ReadKey.of(record.key()), null, thread));
        }
    }

    /** Some thread of this client that holds the lock, for a message. */
    @Nullable
    public Thread anyHolder(LockKey key) {
        for (Place place : holds.keySet()) {
            if (place.key.equals(key)) {
                return place.thread;
            }
        }
        return null;
    }
}
