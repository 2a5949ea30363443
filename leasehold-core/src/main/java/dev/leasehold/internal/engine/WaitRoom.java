package dev.leasehold.internal.engine;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.script.Waiter;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the acquisitions of this client wait: a line for each lock, of which only the first speaks to Redis, and has the
 * client's one place in the queue of the lock. A wake-up is a hint to look, never a grant.
 *
 * <p>Who has a named owner looks once before it stands behind others, and whenever its owner enters through this client:
 * for it the lock may be open while it is closed to those before it.
 */
final class WaitRoom {

    private static final Logger LOG = LoggerFactory.getLogger(WaitRoom.class);

    private final Engine engine;
    private final WakeChannel channel;
    private final Map<String, Line> lines = new ConcurrentHashMap<>();
    private final AtomicBoolean subscribing = new AtomicBoolean();
    private volatile boolean hears;

    /**
     * Why the first of a line gets no answer.
     *
     * @param last the latest failure
     * @param since when the first request left that got none
     */
    record Trouble(RuntimeException last, long since) {}

    /** The acquisitions that wait for one lock. Changed only inside the map's compute. */
    private static final class Line {
        final LockKey key;
        final Queue<Seat> seats = new ArrayDeque<>();
        volatile @Nullable Seat first;
        volatile long place;
        volatile @Nullable Trouble trouble;

        Line(LockKey key) {
            this.key = key;
        }
    }

    /** One acquisition in a line. */
    final class Seat {
        private final Line line;
        private final @Nullable OwnerKey owner;
        private volatile boolean called;
        private volatile @Nullable Runnable waker;
        private Waiter asked = Waiter.NONE;

        private Seat(Line line, @Nullable OwnerKey owner) {
            this.line = line;
            this.owner = owner;
            // The first look is everybody's who may find the lock open to him alone.
            this.called = owner != null;
        }

        /** Whether it is the one that speaks to Redis. */
        boolean first() {
            return line.first == this;
        }

        /** What ends the pause of whoever drives the acquisition. */
        void wakeBy(Runnable wake) {
            waker = wake;
        }

        void call() {
            called = true;
            Runnable wake = waker;
            if (wake != null) {
                wake.run();
            }
        }

        /** Whether it was called since this was asked last. */
        boolean called() {
            if (!called) {
                return false;
            }
            // A call between the two lines is answered by the look that follows.
            called = false;
            return true;
        }

        /**
         * As whom it asks Redis next.
         *
         * @param take whether it takes a place if it has none yet
         */
        Waiter waiter(boolean take) {
            long place = line.place;
            asked = first() && (take || place > 0) ? new Waiter(channel.name(), place) : Waiter.NONE;
            return asked;
        }

        /** Redis told the place of who asked last; 0 for none. */
        void placed(long place) {
            if (asked.waits()) {
                line.place = place;
            }
        }

        /** Redis answers, or does not: what those behind know of it. */
        void trouble(@Nullable RuntimeException failure, long since) {
            line.trouble = failure == null ? null : new Trouble(failure, since);
        }

        /** Why the first of the line gets no answer; null if it does. */
        @Nullable
        Trouble trouble() {
            return line.trouble;
        }

        /** All others of the line judge anew whether to wait any longer. */
        void callOthers() {
            callAll(line, seat -> seat != this);
        }

        /** The lock is its own: the place is free, and whoever has the same owner can enter too. */
        void granted() {
            placed(0);
            leave();
            if (owner != null) {
                callAll(line, seat -> owner.equals(seat.owner));
            }
        }

        /** Ends it, and calls the next. */
        void leave() {
            WaitRoom.this.leave(this);
        }
    }

    WaitRoom(Engine engine) {
        this.engine = engine;
        this.channel = engine.parts.wakeChannel();
    }

    /** Joins the line of a lock; the owner is null if nobody else can have the same. */
    Seat join(LockKey key, @Nullable OwnerKey owner) {
        Seat[] joined = new Seat[1];
        lines.compute(key.key(), (name, there) -> {
            Line line = there == null ? new Line(key) : there;
            Seat seat = new Seat(line, owner);
            line.seats.add(seat);
            line.first = line.seats.peek();
            joined[0] = seat;
            return line;
        });
        return joined[0];
    }

    private void leave(Seat seat) {
        Line line = seat.line;
        Seat[] next = new Seat[1];
        boolean[] last = new boolean[1];
        lines.computeIfPresent(line.key.key(), (name, there) -> {
            if (there != line || !line.seats.remove(seat)) {
                return there;
            }
            if (line.first == seat) {
                next[0] = line.seats.peek();
                line.first = next[0];
            }
            last[0] = line.seats.isEmpty();
            return last[0] ? null : line;
        });
        if (next[0] != null) {
            next[0].call();
        } else if (last[0] && line.place > 0) {
            giveBack(line.key, line.place);
        }
    }

    private void callAll(Line line, Predicate<Seat> which) {
        List<Seat> those = new ArrayList<>();
        lines.computeIfPresent(line.key.key(), (name, there) -> {
            there.seats.stream().filter(which).forEach(those::add);
            return there;
        });
        those.forEach(Seat::call);
    }

    /** Whether wake-ups are heard; tries to, if not. */
    boolean hears() {
        if (subscribing.compareAndSet(false, true)) {
            try {
                engine.transport.subscribe(channel.name(), new WakeUps()).whenComplete((subscription, failure) -> {
                    if (failure == null) {
                        heard();
                    } else {
                        notHeard(failure);
                    }
                });
            } catch (RuntimeException e) {
                notHeard(e);
            }
        }
        return hears;
    }

    /** From here on nothing is missed; what was published before may be lost. */
    private void heard() {
        hears = true;
        lookAll();
    }

    private void notHeard(Throwable failure) {
        RuntimeException reason = Failures.unwrap(failure);
        if (reason instanceof RedisErrorException) {
            LOG.warn(
                    "Redis refuses wake-ups to this client, whose waiters ask from time to time instead. Grant the user"
                            + " +subscribe and the channels that docs/guarantees.md lists: {}",
                    Messages.reason(reason));
        } else {
            LOG.debug("wake-ups cannot be heard now; waiters ask from time to time: {}", Messages.reason(reason));
            subscribing.set(false);
        }
    }

    /** Whoever is first in its line looks, as after wake-ups may have been lost. */
    private void lookAll() {
        for (Line line : lines.values()) {
            Seat first = line.first;
            if (first != null) {
                first.call();
            }
        }
    }

    private final class WakeUps implements ChannelListener {

        @Override
        public void message(String message) {
            WakeChannel.WakeUp wakeUp = channel.read(message);
            if (wakeUp == null) {
                LOG.debug("something else than a wake-up came over the channel of wake-ups");
            } else {
                woken(wakeUp.place(), wakeUp.key());
            }
        }

        @Override
        public void resubscribed() {
            lookAll();
        }
    }

    private void woken(long place, LockKey key) {
        Line line = lines.get(key.key());
        Seat first = line == null ? null : line.first;
        if (line != null && first != null && (line.place == place || line.place == 0)) {
            first.call();
        } else {
            // Nobody is there any more: the next is woken instead.
            giveBack(key, place);
        }
    }

    private void giveBack(LockKey key, long place) {
        LeaveRequest request = new LeaveRequest(engine, key, new Waiter(channel.name(), place));
        engine.unanswered().add(request);
        engine.lane.submit(request);
    }
}
