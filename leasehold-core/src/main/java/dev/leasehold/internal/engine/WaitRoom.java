package dev.leasehold.internal.engine;

import dev.leasehold.LockOptions;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.script.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Where the acquisitions of this client wait: a line for each lock, of which only the first speaks to Redis, and has the
 * client's one place in the queue of the lock. A wake-up is a hint to look, never a grant.
 *
 * <p>Within the process the lock is handed from one to the next without asking Redis, as long as their leases are alike:
 * then not even the first speaks to Redis.
 *
 * <p>Who has a named owner looks once before it stands behind others, and whenever its owner enters through this client:
 * for it the lock may be open while it is closed to those before it.
 */
final class WaitRoom implements WakeUps.Woken {

    private final Engine engine;
    private final String channel;
    private final WakeUps wakeUps;
    private final ShardWakeUps shards;
    private final Map<String, WaitLine> lines = new ConcurrentHashMap<>();
    private final FairQueue fair;

    /** One acquisition in a line. */
    final class LineSeat extends CalledSeat {
        private final WaitLine line;
        private final @Nullable OwnerKey owner;
        private final LockOptions options;
        private Waiter asked = Waiter.NONE;

        /**
         * Where the lock is handed over: null while the acquisition is not ready for it, its record while it is, and the
         * grant when it was handed it.
         */
        private final AtomicReference<@Nullable Object> slot = new AtomicReference<>();

        private LineSeat(WaitLine line, @Nullable OwnerKey owner, LockOptions options) {
            // The first look is everybody's who may find the lock open to him alone.
            super(owner != null);
            this.line = line;
            this.owner = owner;
            this.options = options;
        }

        /** Others stand before it, or a lease of this process that hands the lock on. */
        @Override
        public boolean behind() {
            return line.first != this || line.handsOnTo(this);
        }

        /** Whether it is the one that speaks to Redis. */
        boolean first() {
            return line.first == this;
        }

        /** Whether the lock can go from this lease to it as it is: neither could tell the holds apart. */
        boolean follows(LeaseRecord from) {
            return owner == null
                    && !from.owner.named()
                    && from.options.leaseTime().equals(options.leaseTime())
                    && from.options.renewal().equals(options.renewal());
        }

        @Override
        public void ready(LeaseRecord record) {
            slot.set(record);
        }

        @Override
        public @Nullable Grant close() {
            UnaryOperator<@Nullable Object> keepGrant = there -> there instanceof Grant ? there : null;
            return slot.getAndUpdate(keepGrant) instanceof Grant grant ? grant : null;
        }

        /** Hands it the lock, if it is ready: returns the record that has it now. */
        private @Nullable LeaseRecord hand(Grant grant) {
            return slot.get() instanceof LeaseRecord record && slot.compareAndSet(record, grant) ? record : null;
        }

        private boolean isReady() {
            return slot.get() instanceof LeaseRecord;
        }

        @Override
        public Waiter waiter(boolean take) {
            long place = line.place;
            boolean waits = first() && (take || place > 0);
            int tokens = owner == null ? Tenure.tokens(line.size - 1) : 1;
            asked = waits ? new Waiter(shards.channelOf(line.key), place, tokens, false) : Waiter.NONE;
            return asked;
        }

        @Override
        public void placed(long place, int rank) {
            if (asked.waits()) {
                line.place = place;
            }
        }

        @Override
        public boolean willBeCalled() {
            return !first() || (line.place > 0 && hears());
        }

        @Override
        public void trouble(@Nullable RuntimeException failure, long since) {
            line.trouble = failure == null ? null : new WaitLine.Trouble(failure, since);
        }

        @Override
        public WaitLine.@Nullable Trouble trouble() {
            return line.trouble;
        }

        @Override
        public void callOthers() {
            callAll(line, seat -> seat != this);
        }

        /** The place is free, and whoever has the same owner can enter too. */
        @Override
        public void granted(LeaseRecord record) {
            if (asked.waits()) {
                line.place = 0;
            }
            WaitRoom.this.leave(this, record);
            if (owner != null) {
                callAll(line, seat -> owner.equals(seat.owner));
            }
        }

        /** The next is called. */
        @Override
        public void leave() {
            WaitRoom.this.leave(this, null);
        }
    }

    WaitRoom(Engine engine) {
        this.engine = engine;
        this.channel = engine.parts.wakeChannel().name();
        this.wakeUps = new WakeUps(engine, this);
        this.shards = new ShardWakeUps(engine.transport, engine.parts.wakeChannel(), wakeUps);
        this.fair = new FairQueue(this, shards);
    }

    /** Joins the line of a lock; the owner is null if nobody else can have the same. */
    Seat join(LockKey key, @Nullable OwnerKey owner, LockOptions options) {
        LineSeat[] joined = new LineSeat[1];
        lines.compute(key.key(), (name, there) -> {
            WaitLine line = there == null ? new WaitLine(key) : there;
            joined[0] = new LineSeat(line, owner, options);
            line.add(joined[0]);
            return line;
        });
        return joined[0];
    }

    /** Takes part in the queue of a lock with a place of its own, behind nobody of this client. */
    Seat joinFairly(LockKey key, boolean waits) {
        return fair.join(key, waits);
    }

    /** Takes a seat out of its line; if it holds the lock now, others may be handed it. */
    private void leave(LineSeat seat, @Nullable LeaseRecord granted) {
        WaitLine line = seat.line;
        LineSeat[] next = new LineSeat[1];
        long[] place = new long[1];
        lines.computeIfPresent(line.key.key(), (name, there) -> {
            boolean wasFirst = there == line && line.first == seat;
            if (there != line || !line.remove(seat)) {
                return there;
            }
            if (granted != null) {
                line.holder = line.size > 0 && !granted.owner.named() ? granted : null;
            }
            if (wasFirst) {
                next[0] = line.firstToLook();
            }
            return left(line, place);
        });
        afterwards(line.key, next[0], place[0]);
    }

    /** What becomes of a line that somebody has left: null if it ends, with the place that it gives back. */
    private static @Nullable WaitLine left(WaitLine line, long[] place) {
        if (line.size == 0) {
            place[0] = line.place;
            line.place = 0;
        }
        return line.size == 0 && line.holder == null ? null : line;
    }

    private void afterwards(LockKey key, @Nullable LineSeat next, long place) {
        if (next != null) {
            next.call();
        }
        if (place > 0) {
            giveBack(key, place);
        }
    }

    /** How many of this process would take the lock over from a lease as it is; those behind the first that would not count too. */
    int followers(LeaseRecord from) {
        WaitLine line = lines.get(from.key.key());
        LineSeat first = line == null ? null : line.first;
        return line != null && first != null && first.isReady() && first.follows(from) ? line.size : 0;
    }

    /** The place of this client in the queue of a lock; 0 if it has none. */
    long place(LockKey key) {
        WaitLine line = lines.get(key.key());
        return line == null ? 0 : line.place;
    }

    /** Hands the lock of a lease, which its holder has given up in good order, to the first of the line. */
    boolean hand(LeaseRecord from, Grant grant) {
        LeaseRecord[] holder = new LeaseRecord[1];
        LineSeat[] handed = new LineSeat[1];
        LineSeat[] next = new LineSeat[1];
        long[] place = new long[1];
        lines.computeIfPresent(from.key.key(), (name, line) -> {
            LineSeat first = line.first;
            holder[0] = first == null || !first.follows(from) ? null : first.hand(grant);
            if (first == null || holder[0] == null) {
                return line;
            }
            handed[0] = first;
            line.remove(first);
            line.holder = holder[0];
            next[0] = line.firstToLook();
            return left(line, place);
        });
        if (handed[0] == null) {
            return false;
        }
        holder[0].handed(grant);
        grant.tenure().handedTo(holder[0]);
        engine.watchdog.confirmed(holder[0]);
        handed[0].call();
        afterwards(from.key, next[0], place[0]);
        return true;
    }

    /** A lease that would have handed the lock on has ended otherwise: the first looks. */
    void ended(LeaseRecord record) {
        if (!lines.containsKey(record.key.key())) {
            return;
        }
        LineSeat[] next = new LineSeat[1];
        lines.computeIfPresent(record.key.key(), (name, line) -> {
            if (line.holder == record) {
                line.holder = null;
                next[0] = line.first;
            }
            return line.size == 0 && line.holder == null ? null : line;
        });
        afterwards(record.key, next[0], 0);
    }

    private void callAll(WaitLine line, Predicate<LineSeat> which) {
        List<LineSeat> those = new ArrayList<>();
        lines.computeIfPresent(line.key.key(), (name, there) -> {
            there.forEach(seat -> {
                if (which.test(seat)) {
                    those.add(seat);
                }
            });
            return there;
        });
        those.forEach(LineSeat::call);
    }

    /** Whether wake-ups are heard; tries to, if not. */
    boolean hears() {
        return wakeUps.hears();
    }

    @Override
    public void lookAll() {
        fair.lookAll();
        for (WaitLine line : lines.values()) {
            LineSeat first = line.firstToLook();
            if (first != null) {
                first.call();
            }
        }
    }

    @Override
    public void woken(long place, LockKey key) {
        if (fair.woken(place, key)) {
            return;
        }
        WaitLine line = lines.get(key.key());
        LineSeat first = line == null ? null : line.first;
        if (line != null && first != null && (line.place == place || line.place == 0)) {
            first.call();
        } else {
            // Nobody is there any more: the next is woken instead.
            giveBack(key, place);
        }
    }

    /** Gives a place in the queue back, in the background; the next is woken instead if the lock is free. */
    void giveBack(LockKey key, long place) {
        LeaveRequest request = new LeaveRequest(engine, key, new Waiter(channel, place));
        engine.unanswered().add(request);
        engine.lane.submit(request);
    }
}
