package dev.leasehold.internal.wait;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.script.Waiter;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The acquisitions of this client that wait fairly: each has a place of its own in the queue of its lock, in the order in
 * which Redis registered them, and is woken by its own wake-up. One look in a while tells Redis that all of them live.
 */
final class FairWaiters {

    /** How long who need not look sleeps at most: with the look of whoever it follows, less than the 7 s of the dead. */
    private static final long SPARED_NANOS = 1_500_000_000L;

    private final WakeListener wakeUps;
    private final QueuePositions positions;
    private final Unclaimed unclaimed;
    private final AtomicLong arrivals = new AtomicLong();
    private final Map<LockKey, Group> groups = new ConcurrentHashMap<>();

    /**
     * All that wait fairly for one lock; those with a place in their order. Members, and their places, come and go
     * inside the map's compute. The foremost speaks for all: if it finds its place lost, theirs may be lost, too.
     */
    private static final class Group {
        final Set<FairSeat> seats = inOrder();
        final NavigableMap<Long, FairSeat> places = new ConcurrentSkipListMap<>();
        /** Places whose turn it is, each with those of whom one may be about to learn that it is its own. */
        final Map<Long, Set<FairSeat>> unclaimed = new ConcurrentHashMap<>();

        /** Seats in the order in which they came. */
        static Set<FairSeat> inOrder() {
            return new ConcurrentSkipListSet<>(Comparator.comparingLong(seat -> seat.arrival));
        }

        @Nullable
        FairSeat foremost() {
            Map.Entry<Long, FairSeat> first = places.firstEntry();
            return first == null ? null : first.getValue();
        }

        /** Whoever stands before this place should have been served before it, so has lost its own. */
        void callThoseBefore(long place) {
            places.headMap(place).values().forEach(FairSeat::call);
        }

        /** Returns whether somebody has this place. */
        boolean callTheOneAt(long place) {
            FairSeat seat = places.get(place);
            if (seat != null) {
                seat.call();
            }
            return seat != null;
        }

        /** Who waits for the subscription before it takes a place. */
        void callThoseWithout() {
            seats.stream().filter(seat -> seat.place == 0).forEach(FairSeat::call);
        }

        void callAllBut(FairSeat seat) {
            seats.stream().filter(one -> one != seat).forEach(FairSeat::call);
        }

        /** Whether the seat may have a place of which it has not been told yet. */
        boolean mayLearn(FairSeat seat) {
            return seat.waits && seat.place == 0 && seats.contains(seat);
        }
    }

    /** Deals with positions that no fair waiter of this client has. */
    interface Unclaimed {

        /** It is the turn of a position that no fair waiter knows to have. */
        void unclaimed(LockKey key, long position);
    }

    FairWaiters(WakeListener wakeUps, QueuePositions positions, Unclaimed unclaimed) {
        this.wakeUps = wakeUps;
        this.positions = positions;
        this.unclaimed = unclaimed;
    }

    /** One acquisition and its place. */
    private final class FairSeat extends WakeableEntry {
        private final long arrival;
        private final LockKey key;
        private final boolean waits;
        private final Group group;
        private volatile long place;
        private int rank;
        private boolean asked;
        private boolean over;

        FairSeat(long arrival, LockKey key, boolean waits, Group group) {
            super(false);
            this.arrival = arrival;
            this.key = key;
            this.waits = waits;
            this.group = group;
        }

        @Override
        public long sparedUntil(long now, long lastLook) {
            boolean others = place > 0 && group.foremost() != this;
            return others && rank > 1 ? now + SPARED_NANOS : now;
        }

        @Override
        public Waiter waiter(boolean take) {
            // Who cannot hear yet would be passed over when its turn comes, and so takes no place at first.
            boolean takes = take && (asked || wakeUps.ensureSubscribed());
            boolean stays = waits && (takes || place > 0);
            asked = true;
            return new Waiter(stays ? wakeUps.channelOf(key) : "", place, 1, true);
        }

        @Override
        public void placed(long number, int told) {
            rank = told;
            if (number != place) {
                moved(place, number);
            }
            settled();
        }

        private void moved(long before, long number) {
            FairSeat[] lost = new FairSeat[1];
            groups.computeIfPresent(key, (name, there) -> {
                there.places.remove(before, this);
                // In this order: whose place is known is found by it.
                lost[0] = number > 0 ? there.places.put(number, this) : null;
                place = number;
                if (lost[0] != null) {
                    // Its place went with the data, and was given anew: it takes another.
                    lost[0].place = 0;
                }
                return there;
            });
            if (lost[0] != null) {
                lost[0].call();
            }
            if (before > 0) {
                group.callAllBut(this);
            }
        }

        @Override
        public void placedLate(long number) {
            if (number > 0 && !group.places.containsKey(number)) {
                positions.giveUp(key, number);
            }
        }

        @Override
        public boolean willBeCalled() {
            return place > 0 && wakeUps.ensureSubscribed();
        }

        @Override
        public void granted(LeaseRecord record) {
            group.callThoseBefore(place);
            end();
        }

        @Override
        public void leave() {
            if (end() && place > 0) {
                positions.giveUp(key, place);
            }
        }

        private boolean end() {
            boolean first = !over;
            over = true;
            groups.computeIfPresent(key, (name, there) -> {
                there.places.remove(place, this);
                there.seats.remove(this);
                return there.seats.isEmpty() ? null : there;
            });
            settled();
            return first;
        }

        /** It knows its place, or will have none: a place that now nobody can have was that of one who is gone. */
        private void settled() {
            group.unclaimed.forEach((number, those) -> {
                those.remove(this);
                if (those.isEmpty() && group.unclaimed.remove(number, those) && !group.places.containsKey(number)) {
                    unclaimed.unclaimed(key, number);
                }
            });
        }
    }

    QueueEntry join(LockKey key, boolean waits) {
        FairSeat[] joined = new FairSeat[1];
        groups.compute(key, (name, there) -> {
            Group group = there == null ? new Group() : there;
            joined[0] = new FairSeat(arrivals.incrementAndGet(), key, waits, group);
            group.seats.add(joined[0]);
            return group;
        });
        return joined[0];
    }

    /** It is the turn of this place. Returns whether somebody here has it, or may be about to learn that it has. */
    boolean woken(long number, LockKey key) {
        Group group = groups.get(key);
        if (group == null) {
            return false;
        }
        if (group.callTheOneAt(number)) {
            return true;
        }
        Set<FairSeat> those = Group.inOrder();
        group.seats.stream().filter(group::mayLearn).forEach(those::add);
        if (those.isEmpty()) {
            // It may have learnt between the two.
            return group.callTheOneAt(number);
        }
        group.unclaimed.put(number, those);
        for (FairSeat one : List.copyOf(those)) {
            if (group.mayLearn(one)) {
                one.call();
            } else {
                // It has learnt meanwhile.
                one.settled();
            }
        }
        // One of them may have learnt meanwhile that it is its turn; who has been called looks once all the same.
        boolean unused = group.callTheOneAt(number);
        return true;
    }

    /** Wake-ups are heard, and some may have been lost: of each lock the one looks whose turn it may be. */
    void lookAll() {
        for (Group group : groups.values()) {
            FairSeat foremost = group.foremost();
            if (foremost != null) {
                foremost.call();
            }
            group.callThoseWithout();
        }
    }
}
