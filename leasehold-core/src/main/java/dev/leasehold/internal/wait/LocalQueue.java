package dev.leasehold.internal.wait;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LocalGrant;
import dev.leasehold.internal.lease.SharedReadHold;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The acquisitions of this client that wait for one lock, in their order. Changed only inside the map's compute. */
public final class LocalQueue {

    /** Who has been woken comes within some 50 µs, and finds the lock open or not; after so long its turn comes in any case. */
    private static final long PASSING_NANOS = 1_000_000;

    static final int MOST_PASSES = 64;

    final LockKey key;
    private final Set<LocalQueueEntry> seats = new LinkedHashSet<>();
    volatile @Nullable LocalQueueEntry first;
    volatile int size;
    /** The client's place in the queue of the lock; 0 if it has none. */
    volatile long place;

    /** How long the first need not look, because Redis was told of its place otherwise; null if it was not. */
    private volatile @Nullable Spared spared;

    /** Whether the first is the stand-by of the head of the queue, and looks more often. */
    volatile boolean standsBy;

    /** Whether the first has asked Redis, which may have given it another place than it knows, and has no answer yet. */
    volatile boolean mayLearn;

    /** Places whose turn it was while the first may have been about to learn that it has them; null if there are none. */
    private @Nullable Set<Long> unclaimed;

    /** The lease of this process that has the lock, if it may hand it on; whoever can follow it waits for that. */
    volatile @Nullable LeaseRecord holder;

    /** The readers of this process who have the lock until its first writer gets it; null if there are none. */
    private @Nullable SharedReadHold readers;

    /** The lock, open to the first, who has been woken for it, and until then to whoever comes. */
    volatile @Nullable LocalGrant open;

    /** How many have taken the open lock before the first. */
    private int passes;

    /** When the lock was first open to the first. */
    private long wokenAt;

    volatile @Nullable Trouble trouble;

    /**
     * Why the first of a line gets no answer.
     *
     * @param last the latest failure
     * @param since when the first request left that got none
     */
    public record Trouble(RuntimeException last, long since) {}

    /**
     * Until when a place need not look.
     *
     * @param place in the queue of the lock
     * @param until a moment of the monotonic clock
     */
    private record Spared(long place, long until) {}

    LocalQueue(LockKey key) {
        this.key = key;
    }

    void add(LocalQueueEntry seat) {
        seats.add(seat);
        counted();
    }

    boolean remove(LocalQueueEntry seat) {
        boolean there = seats.remove(seat);
        counted();
        return there;
    }

    private void counted() {
        size = seats.size();
        LocalQueueEntry next = size == 0 ? null : seats.iterator().next();
        if (first != next) {
            passes = 0;
            // Before the next knows that it is the first, and asks.
            mayLearn = false;
            first = next;
        }
    }

    /** Who has this place need not look until then. */
    void spare(long number, long until) {
        spared = new Spared(number, until);
    }

    /** Until when the first need not look. */
    long sparedUntil(long now) {
        Spared last = spared;
        return last != null && last.place == place && last.until - now > 0 ? last.until : now;
    }

    /** Whether this place may be that of the first, who then is to look. */
    boolean claims(long woken) {
        if (place != woken && mayLearn) {
            unclaimed = unclaimed == null ? new HashSet<>() : unclaimed;
            unclaimed.add(woken);
        }
        return place == woken || mayLearn;
    }

    /** Whether it has this place, or may. */
    boolean has(long number) {
        return place == number || (unclaimed != null && unclaimed.contains(number));
    }

    /** The unclaimed places, once the first knows which place it has; none before. */
    Set<Long> settled() {
        Set<Long> settled = mayLearn ? null : unclaimed;
        if (settled == null) {
            return Set.of();
        }
        unclaimed = null;
        return settled;
    }

    /** Whether somebody may take the lock while the first is on its way. */
    boolean mayBePassed(long now) {
        return passes == 0 || (passes < MOST_PASSES && now - wokenAt < PASSING_NANOS);
    }

    /** Leaves the lock to the first, and to whoever comes before it; not if the first is not ready. */
    boolean opened(LocalGrant grant, @Nullable LeaseRecord ofFirst) {
        if (ofFirst == null) {
            return false;
        }
        if (passes == 0) {
            wokenAt = grant.at();
        }
        open = grant;
        holder = ofFirst;
        readers = null;
        return true;
    }

    /** One of the line has the lock and leaves it. */
    void taken(LocalQueueEntry seat, LeaseRecord record) {
        if (seat != first) {
            passes++;
        }
        remove(seat);
        open = null;
        holder = record;
        readers = null;
    }

    /** The lease lets readers in, before the first if there is one. */
    void read(LeaseRecord record, SharedReadHold reading) {
        holder = record;
        readers = reading;
    }

    /** Whether those readers have the lock. */
    boolean isRead(SharedReadHold reading) {
        return readers == reading;
    }

    /** Those readers have left, and the lease still has the lock. */
    void readNoMore(SharedReadHold reading) {
        if (readers == reading) {
            readers = null;
        }
    }

    /** Whether this lease has the lock, or those readers have it from this lease. */
    boolean heldBy(LeaseRecord record, @Nullable SharedReadHold reading) {
        return holder == record && readers == reading;
    }

    /** The readers for whom this process keeps the lock from those of others though none of its writers waits; for once. */
    @Nullable
    SharedReadHold readersAlone() {
        SharedReadHold alone = size == 0 ? readers : null;
        if (alone != null) {
            closed();
        }
        return alone;
    }

    /** The lock is not handed on. */
    void closed() {
        open = null;
        holder = null;
        readers = null;
    }

    void forEach(Consumer<LocalQueueEntry> each) {
        seats.forEach(each);
    }

    /** Whether the lock will be handed to it when its turn comes. */
    boolean handsOnTo(LocalQueueEntry seat) {
        LeaseRecord from = holder;
        return from != null && seat.follows(from);
    }

    /** Whether the first is ready to have it from this lease as it is. */
    boolean firstFollows(LeaseRecord from) {
        LocalQueueEntry seat = first;
        return seat != null && seat.ready() != null && seat.follows(from);
    }

    /** The first, if it is to look; null if there is none, or if the lock will be handed to it. */
    @Nullable
    LocalQueueEntry firstToLook() {
        LocalQueueEntry seat = first;
        return seat == null || seat.waitsToBeHanded() ? null : seat;
    }
}
