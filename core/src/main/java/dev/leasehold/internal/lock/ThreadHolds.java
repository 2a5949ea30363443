package dev.leasehold.internal.lock;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.spi.Timer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The holds of the threads of this client through {@link java.util.concurrent.locks.Lock}, with their counts. A thread is
 * identified by its object, not by its id, which may be reused. Only the thread itself changes its holds; other threads read
 * them for messages, and remove those of a thread that ended without unlocking.
 */
public final class ThreadHolds {

    /** How often the threads are checked whose leases are lost, and that have not unlocked yet. */
    private static final long CHECK_NANOS = 5_000_000_000L;

    private final Timer timer;
    private final Map<HoldKey, Hold> holds = new ConcurrentHashMap<>();
    /** The lost leases of threads that have not unlocked yet. */
    private final Set<LeaseRecord> lost = ConcurrentHashMap.newKeySet();

    /** The number of named owners as which a thread holds a lock. */
    private final Map<HoldKey, Integer> byName = new ConcurrentHashMap<>();

    private final AtomicBoolean checking = new AtomicBoolean();

    /** A lock, its named owner or the number of permits, if any, and the thread. */
    private record HoldKey(LockKey key, @Nullable String owner, Thread thread) {

        static HoldKey of(LockKey key, @Nullable OwnerKey owner, Thread thread) {
            if (key instanceof PermitKey permits) {
                // Holds with different numbers of permits are counted separately.
                return new HoldKey(key, OwnerKey.PERMITS + permits.wanted(), thread);
            }
            return new HoldKey(key, owner == null ? null : owner.field(), thread);
        }

        boolean isOfOwner(LockKey other, Thread by) {
            return owner != null && thread == by && key.equals(other);
        }
    }

    /** The hold of a thread: a lease and a count. */
    public static final class Hold {
        public LeaseRecord record;
        public int count = 1;
        /** The read hold of a writer that also reads, under the same lease. */
        @Nullable
        public Hold reader;
        /** The hold whose lease was lost when the thread locked anew, and that it has still to unlock. */
        private @Nullable Hold below;

        Hold(LeaseRecord record, @Nullable Hold below) {
            this.record = record;
            this.below = below;
        }

        /** Counts the unlocks of the lost hold below this one, which is lost by now, so that there is never more than one below. */
        private void absorb() {
            Hold lost = below;
            if (lost != null) {
                count = Math.addExact(count, lost.count);
                below = null;
            }
        }
    }

    /** No holds yet; the timer checks for threads that ended. */
    public ThreadHolds(Timer timer) {
        this.timer = timer;
    }

    /** The hold of the current thread; null if it has none. */
    @Nullable
    public Hold current(LockKey key, @Nullable OwnerKey owner) {
        return holds.get(HoldKey.of(key, owner, Thread.currentThread()));
    }

    /** Returns the leases by which the current thread has the lock as named owners, whatever their names. */
    Stream<LeaseRecord> asNamedOwner(LockKey key) {
        Thread current = Thread.currentThread();
        if (!byName.containsKey(new HoldKey(key, null, current))) {
            return Stream.empty();
        }
        return byName(key, current);
    }

    /** Returns the leases by which the current thread has permits of a semaphore, of whatever numbers. */
    Stream<LeaseRecord> permits(PermitKey key) {
        return byName(key, Thread.currentThread());
    }

    private Stream<LeaseRecord> byName(LockKey key, Thread current) {
        return holds.entrySet().stream()
                .filter(held -> held.getKey().isOfOwner(key, current))
                .map(held -> held.getValue().record);
    }

    /** Adds a hold of the current thread, above one whose lease was lost. */
    public Hold put(LockKey key, @Nullable OwnerKey owner, LeaseRecord record) {
        HoldKey held = HoldKey.of(key, owner, Thread.currentThread());
        Hold lost = holds.get(held);
        if (lost != null) {
            lost.absorb();
        }
        Hold hold = new Hold(record, lost);
        holds.put(held, hold);
        if (owner != null && hold.below == null) {
            byName.merge(new HoldKey(key, null, Thread.currentThread()), 1, Integer::sum);
        }
        return hold;
    }

    /** Removes the hold of the current thread, which has still to unlock the one below. */
    public void remove(LockKey key, @Nullable OwnerKey owner) {
        HoldKey held = HoldKey.of(key, owner, Thread.currentThread());
        Hold top = holds.get(held);
        if (top != null && top.below != null) {
            holds.put(held, top.below);
        } else {
            removeAll(key, owner, Thread.currentThread());
        }
    }

    private void removeAll(LockKey key, @Nullable OwnerKey owner, Thread thread) {
        Hold removed = holds.remove(HoldKey.of(key, owner, thread));
        if (removed != null && owner != null) {
            byName.computeIfPresent(new HoldKey(key, null, thread), (held, owners) -> owners == 1 ? null : owners - 1);
        }
    }

    /** Removes the holds of a thread that ended without unlocking, now or once it has ended, of a lease that has ended. */
    public void forget(LeaseRecord record) {
        Thread thread = record.thread();
        if (!record.tiedToThread() || thread == null) {
            return;
        }
        if (!thread.isAlive()) {
            remove(record, thread);
        } else if (record.state() == LeaseState.LOST) {
            lost.add(record);
            checkLater();
        }
    }

    private void remove(LeaseRecord record, Thread thread) {
        removeAll(record.key(), ownerOf(record), thread);
        removeAll(ReadKey.of(record.key()), null, thread);
    }

    private static @Nullable OwnerKey ownerOf(LeaseRecord record) {
        return record.ofNamedOwner() ? record.owner() : null;
    }

    private void checkLater() {
        if (checking.compareAndSet(false, true)) {
            Timer.Timeout unused = timer.schedule(this::check, CHECK_NANOS);
        }
    }

    private void check() {
        checking.set(false);
        lost.removeIf(this::isOver);
        if (!lost.isEmpty()) {
            checkLater();
        }
    }

    /** Returns whether the thread of a lost lease has unlocked, or has ended; then its holds are removed. */
    private boolean isOver(LeaseRecord record) {
        Thread thread = record.thread();
        if (thread == null || !thread.isAlive()) {
            if (thread != null) {
                remove(record, thread);
            }
            return true;
        }
        return !isOf(record, holds.get(HoldKey.of(record.key(), ownerOf(record), thread)))
                && !isOf(record, holds.get(HoldKey.of(ReadKey.of(record.key()), null, thread)));
    }

    private static boolean isOf(LeaseRecord record, @Nullable Hold hold) {
        return hold != null && (hold.record == record || isOf(record, hold.below));
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

    /** Returns whether no thread holds a lock. */
    boolean isEmpty() {
        return holds.isEmpty();
    }

    /** The number of holds that are not forgotten yet. */
    public int size() {
        return holds.size();
    }
}
