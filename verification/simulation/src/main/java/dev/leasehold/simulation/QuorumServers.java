package dev.leasehold.simulation;

import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.simulation.history.History;
import dev.leasehold.testkit.SimulatedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Several independent servers, each with a clock of its own. */
final class QuorumServers {

    /** The maximum lease time of the clients. */
    static final Duration MAX_LEASE = Duration.ofSeconds(3);

    /** The same with what clocks may drift, as the product computes it. */
    static final LeaseSpan LONGEST =
            new LeaseSpan(MAX_LEASE.toNanos() + MAX_LEASE.toNanos() / 100 + 2 * PlanMaker.MILLI);

    /** Clocks may differ by 1 % (condition C-2): those of servers and clients by half of that from true time. */
    static final long MOST_PPM = 4_500;

    private static final long MOST_APART_MICROS = 900_000;

    private final List<SimulatedRedis> all = new ArrayList<>();
    private final List<Server> servers = new ArrayList<>();
    private final QuorumTruth truth;

    QuorumServers(World world, History history, Met met, long seed, int count) {
        SplittableRandom random = new SplittableRandom(new SplittableRandom(seed + 1).nextLong());
        boolean apart = random.nextInt(4) > 0;
        List<ServerClock> clocks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long offset = apart ? random.nextLong(-MOST_APART_MICROS, MOST_APART_MICROS) : 0;
            ServerClock clock = new ServerClock(world, offset, random.nextLong(-MOST_PPM, MOST_PPM + 1));
            clocks.add(clock);
            all.add(SimulatedRedis.create(clock::micros));
        }
        this.truth = new QuorumTruth(world, history, all, clocks);
        for (int i = 0; i < all.size(); i++) {
            String name = Integer.toString(i);
            servers.add(new Server(world, history, met, name, all.get(i), truth.of(i), null, null));
        }
    }

    List<Server> servers() {
        return List.copyOf(servers);
    }

    /** Returns the TIME of the server whose clock is behind all others, in us. */
    long earliestTime() {
        return all.stream().mapToLong(SimulatedRedis::micros).min().orElseThrow();
    }

    List<String> leftBehind() {
        return truth.leftBehind();
    }
}
