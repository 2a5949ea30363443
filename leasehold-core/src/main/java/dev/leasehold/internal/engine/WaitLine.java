package dev.leasehold.internal.engine;

import dev.leasehold.internal.key.LockKey;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The acquisitions of this client that wait for one lock, in their order. Changed only inside the map's compute. */
final class WaitLine {

    final LockKey key;
    private final Set<WaitRoom.LineSeat> seats = new LinkedHashSet<>();
    volatile WaitRoom.@Nullable LineSeat first;
    volatile int size;
    /** The client's place in the queue of the lock; 0 if it has none. */
    volatile long place;

    /** The lease of this process that has the lock, if it may hand it on; whoever can follow it waits for that. */
    volatile @Nullable LeaseRecord holder;

    volatile @Nullable Trouble trouble;

    /**
     * Why the first of a line gets no answer.
     *
     * @param last the latest failure
     * @param since when the first request left that got none
     */
    record Trouble(RuntimeException last, long since) {}

    WaitLine(LockKey key) {
        this.key = key;
    }

    void add(WaitRoom.LineSeat seat) {
        seats.add(seat);
        counted();
    }

    boolean remove(WaitRoom.LineSeat seat) {
        boolean there = seats.remove(seat);
        counted();
        return there;
    }

    private void counted() {
        size = seats.size();
        first = size == 0 ? null : seats.iterator().next();
    }

    void forEach(Consumer<WaitRoom.LineSeat> each) {
        seats.forEach(each);
    }

    /** Whether the lock will be handed to it when its turn comes. */
    boolean handsOnTo(WaitRoom.LineSeat seat) {
        LeaseRecord from = holder;
        return from != null && seat.follows(from);
    }

    /** The first, if it is to look; null if there is none, or if the lock will be handed to it. */
    WaitRoom.@Nullable LineSeat firstToLook() {
        WaitRoom.LineSeat seat = first;
        return seat == null || handsOnTo(seat) ? null : seat;
    }
}
