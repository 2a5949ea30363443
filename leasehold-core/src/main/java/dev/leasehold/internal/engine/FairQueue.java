package dev.leasehold.internal.engine;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.script.Waiter;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The acquisitions of this client that wait fairly: each has a place of its own in the queue of its lock, in the order in
 * which Redis registered them, and is woken by its own wake-up. One look in a while tells Redis that all of them live.
 */
final class FairQueue {

    /** Redis takes a client for dead that has not looked for 7 s: so one look may fail. */
    private static final long LOOK_NANOS = 2_500_000_000L;

    private final WaitRoom room;
    private final ShardWakeUps shards;
    private final Map<Place, FairSeat> placed = new ConcurrentHashMap<>();
    private final Map<String, Group> groups = new ConcurrentHashMap<>();

    /** A place in the queue of a lock. */
    private record Place(String key, long number) {}

    /** All that wait fairly for one lock. The set is changed inside the map's compute, and read anywhere. */
    private static final class Group {
        final Set<FairSeat> seats = ConcurrentHashMap.newKeySet();
        final AtomicLong lookedAt = new AtomicLong();
        volatile boolean looked;

        /** Until when others have looked for all; now for the one who is to look. */
        long sparedUntil(long now) {
            long last = lookedAt.get();
            if (!looked) {
                return now;
            }
            if (now - last < LOOK_NANOS) {
                return last + LOOK_NANOS;
            }
            return lookedAt.compareAndSet(last, now) ? now : now + LOOK_NANOS;
        }

        void looked(long now) {
            lookedAt.set(now);
            looked = true;
        }

        /** The one that can be the head of the queue; null if none has a place. */
        @Nullable
        FairSeat foremost() {
            FairSeat foremost = null;
            for (FairSeat seat : seats) {
                long place = seat.place;
                if (place > 0 && (foremost == null || place < foremost.place)) {
                    foremost = seat;
                }
            }
            return foremost;
        }
    }

    FairQueue(WaitRoom room, ShardWakeUps shards) {
        this.room = room;
        this.shards = shards;
    }

    /** One acquisition and its place. */
    private final class FairSeat implements Seat {
        private final LockKey key;
        private final boolean waits;
        private final Group group;
        private volatile long place;
        private volatile boolean called;
        private volatile @Nullable Runnable waker;
        private int rank;
        private boolean over;

        FairSeat(LockKey key, boolean waits, Group group) {
            this.key = key;
            this.waits = waits;
            this.group = group;
        }

        @Override
        public void wakeBy(Runnable wake) {
            waker = wake;
        }

        void call() {
            called = true;
            Runnable wake = waker;
            if (wake != null) {
                wake.run();
            }
        }

        @Override
        public boolean called() {
            if (!called) {
                return false;
            }
            // A call between the two lines is answered by the look that follows.
            called = false;
            return true;
        }

        @Override
        public long sparedUntil(long now) {
            return place > 0 && rank > 1 ? group.sparedUntil(now) : now;
        }

        @Override
        public Waiter waiter(boolean take) {
            boolean stays = waits && (take || place > 0);
            return new Waiter(stays ? shards.channelOf(key) : "", place, 1, true);
        }

        @Override
        public void placed(long number, int told, long now) {
            rank = told;
            if (number != place) {
                placed.remove(new Place(key.key(), place), this);
                place = number;
                if (number > 0) {
                    placed.put(new Place(key.key(), number), this);
                }
            }
            if (number > 0) {
                group.looked(now);
            }
        }

        @Override
        public boolean willBeCalled() {
            return place > 0 && room.hears();
        }

        @Override
        public void granted(LeaseRecord record) {
            end();
        }

        @Override
        public void leave() {
            long number = place;
            if (end() && number > 0) {
                room.giveBack(key, number);
            }
        }

        private boolean end() {
            boolean first = !over;
            over = true;
            placed.remove(new Place(key.key(), place), this);
            groups.computeIfPresent(key.key(), (name, there) -> {
                there.seats.remove(this);
                return there.seats.isEmpty() ? null : there;
            });
            return first;
        }
    }

    Seat join(LockKey key, boolean waits) {
        FairSeat[] joined = new FairSeat[1];
        groups.compute(key.key(), (name, there) -> {
            Group group = there == null ? new Group() : there;
            joined[0] = new FairSeat(key, waits, group);
            group.seats.add(joined[0]);
            return group;
        });
        return joined[0];
    }

    /** It is the turn of this place. Returns whether somebody here has it, or may be about to learn that it has. */
    boolean woken(long number, LockKey key) {
        FairSeat seat = placed.get(new Place(key.key(), number));
        if (seat != null) {
            seat.call();
            return true;
        }
        boolean[] any = new boolean[1];
        Group group = groups.get(key.key());
        if (group != null) {
            for (FairSeat one : group.seats) {
                if (one.waits && one.place == 0) {
                    one.call();
                    any[0] = true;
                }
            }
        }
        return any[0];
    }

    /** Wake-ups may have been lost: of each lock the one looks whose turn it may be. */
    void lookAll() {
        for (Group group : groups.values()) {
            FairSeat foremost = group.foremost();
            if (foremost != null) {
                foremost.call();
            }
        }
    }
}
