package dev.leasehold.simulation;

import dev.leasehold.simulation.history.Entry;
import dev.leasehold.simulation.history.History;
import dev.leasehold.simulation.history.What;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The replica of the server. It receives each write after the time by which it lags, in their order. When a server is promoted, the
 * replica has all its data at once.
 */
final class Replica {

    private static final long USUAL_NANOS = 1_000_000;

    private final World world;
    private final History history;
    private final RandomGenerator random;
    /** When the last writes arrive, of which the replica lacked some when it was last asked. */
    private final Deque<Long> arrivals = new ArrayDeque<>();

    private long sent;
    private long lastArrival;
    private long lagsUntil;
    private long lag;
    private int promotions;

    Replica(World world, History history, RandomGenerator random) {
        this.world = world;
        this.history = history;
        this.random = random;
    }

    /** Begins to lag by up to so much. */
    void lags(long duration, long most) {
        lagsUntil = world.now() + duration;
        lag = most;
    }

    /**
     * Sends what the server has written.
     *
     * @param writes the number of its writes so far
     * @param holds the entries of the history about holds that the last of them entered or extended
     */
    void send(long writes, List<Entry> holds) {
        while (sent < writes) {
            sent++;
            long most = world.now() < lagsUntil ? lag : USUAL_NANOS;
            lastArrival = Math.max(lastArrival, world.now() + random.nextLong(most) + 1);
            arrivals.add(lastArrival);
        }
        int promotion = promotions;
        for (Entry hold : holds) {
            world.at(arrivalOf(writes), () -> {
                if (promotion == promotions) {
                    received(hold);
                }
            });
        }
    }

    private void received(Entry hold) {
        history.add(new Entry(
                world.now(),
                hold.client(),
                hold.op(),
                What.REPLICATED,
                hold.lock(),
                hold.owner(),
                hold.token(),
                hold.until(),
                hold.note()));
    }

    /** Returns when it has received so many writes; a moment in the past if it has. */
    long arrivalOf(long writes) {
        forgetArrived();
        long behind = sent - writes;
        return behind >= arrivals.size()
                ? 0
                : arrivals.stream()
                        .skip(arrivals.size() - 1 - behind)
                        .findFirst()
                        .orElse(0L);
    }

    /** Returns how many of the writes it has not received. */
    int missing() {
        forgetArrived();
        return arrivals.size();
    }

    private void forgetArrived() {
        while (!arrivals.isEmpty() && arrivals.element() <= world.now()) {
            arrivals.remove();
        }
    }

    /** Begins again as the replica of a server that was promoted, or restarted, and has these holds. */
    void follow(long writes, List<Entry> holds) {
        promotions++;
        arrivals.clear();
        sent = writes;
        lastArrival = world.now();
        holds.forEach(this::received);
    }
}
