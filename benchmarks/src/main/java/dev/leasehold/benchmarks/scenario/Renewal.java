package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.job.HoldJob;
import dev.leasehold.benchmarks.job.Worker;
import dev.leasehold.benchmarks.measure.Figure;
import dev.leasehold.benchmarks.measure.Pause;
import dev.leasehold.benchmarks.measure.Round;
import dev.leasehold.benchmarks.measure.Sample;
import dev.leasehold.benchmarks.measure.ServerStats;
import dev.leasehold.benchmarks.process.Fleet;
import dev.leasehold.benchmarks.process.Message;
import dev.leasehold.benchmarks.report.Numbers;
import dev.leasehold.benchmarks.subject.Contestant;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * One JVM holds many locks, each renewed in the background, and does nothing else. Every contestant has a JVM of
 * its own, and so a heap of its own.
 */
public final class Renewal implements Trial {

    private static final int HEAP_MEGABYTES = 1024;
    private static final double MEGABYTE = 1024 * 1024;

    /**
     * Longer than any interval of renewal. Redisson restarts renewal whenever it has had no lock for a moment,
     * without ending its earlier schedule: after the probes of {@code open} it would renew each lock several times
     * an interval.
     */
    private static final Duration CALM = Duration.ofSeconds(12);

    private final EmbeddedRedis redis;
    private final int leases;
    private final Duration time;
    private final Map<Contestant, Fleet> fleets = new EnumMap<>(Contestant.class);
    private final Map<Contestant, Long> empties = new EnumMap<>(Contestant.class);
    private int rounds;

    /** Creates a trial with so many locks, held for so long. */
    public Renewal(EmbeddedRedis redis, int leases, Duration time) {
        this.redis = redis;
        this.leases = leases;
        this.time = time;
    }

    @Override
    public String title() {
        return Numbers.of((long) leases) + " locks held for " + time.toSeconds() + " s";
    }

    @Override
    public String progress(Round round) {
        return "client " + Numbers.of(round.figure(Figure.CLIENT_CPU)) + " and server "
                + Numbers.of(round.figure(Figure.SERVER_CPU)) + " of a core, heap "
                + Numbers.of(round.figure(Figure.HEAP_MEGABYTES)) + " MB, " + Math.round(round.figure(Figure.LOST))
                + " lost";
    }

    @Override
    public Round round(Contestant contestant) {
        redis.flush();
        Fleet fleet =
                fleets.computeIfAbsent(contestant, c -> Fleet.start(1, HEAP_MEGABYTES, Worker.class, redis.uri(), 1));
        fleet.all(Message.of("open").with("subject", contestant));
        Pause.until(System.nanoTime() + CALM.toNanos());
        // The minimum so far: the garbage of a closed client may still be there.
        long empty = empties.merge(contestant, heap(fleet), Math::min);
        fleet.all(Message.of("start")
                .with("job", HoldJob.NAME)
                .with("lock", "renewal-" + rounds++ + "-")
                .with("locks", leases)
                .with("threads", contestant.holdingThreads())
                .with("verify", true));
        long full = heap(fleet);
        ServerStats before = ServerStats.now(redis);
        long cpu = cpu(fleet);
        long begun = System.nanoTime();
        Pause.until(begun + time.toNanos());
        long used = cpu(fleet) - cpu;
        long nanos = System.nanoTime() - begun;
        ServerStats server = ServerStats.now(redis).since(before);
        long later = heap(fleet);
        Message answer = fleet.one(0, Message.of("go"));
        fleet.all(Message.of("close"));
        long lost = answer.number("lost");
        Demand.ofLeasehold(contestant, lost == 0, lost + " of " + leases + " were lost; " + answer.text("error"));
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        figures.put(Figure.LOST, (double) lost);
        figures.put(Figure.CLIENT_CPU, (double) used / nanos);
        figures.put(Figure.SERVER_CPU, server.cpuMicros() * 1e3 / nanos);
        figures.put(Figure.HEAP_MEGABYTES, (Math.max(full, later) - empty) / MEGABYTE);
        return new Round(new Sample(leases, nanos, used, 0, server), figures, answer.text("error"));
    }

    private static long cpu(Fleet fleet) {
        return fleet.one(0, Message.of("usage")).number("cpu");
    }

    private static long heap(Fleet fleet) {
        return fleet.one(0, Message.of("usage").with("collect", true)).number("heap");
    }

    @Override
    public void close() {
        fleets.values().forEach(Fleet::close);
    }
}
