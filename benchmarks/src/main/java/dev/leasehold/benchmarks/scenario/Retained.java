package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.job.ContendJob;
import dev.leasehold.benchmarks.job.PairJob;
import dev.leasehold.benchmarks.job.TakeJob;
import dev.leasehold.benchmarks.job.Worker;
import dev.leasehold.benchmarks.measure.Figure;
import dev.leasehold.benchmarks.measure.Pause;
import dev.leasehold.benchmarks.measure.Round;
import dev.leasehold.benchmarks.measure.Sample;
import dev.leasehold.benchmarks.measure.ServerStats;
import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.process.Fleet;
import dev.leasehold.benchmarks.process.Message;
import dev.leasehold.benchmarks.report.Numbers;
import dev.leasehold.benchmarks.subject.Contestant;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Two JVMs. First one thread of one JVM acquires and releases one lock repeatedly. Then the JVMs acquire another lock
 * alternately, each a moment after the other has released it. Then they contend for a third one and work 5 ms while
 * they hold it, as in an ordinary hand-off.
 */
public final class Retained implements Trial {

    private static final Duration WORK = Duration.ofMillis(5);
    private static final Duration CONTENDED = Duration.ofSeconds(2);
    private static final long LEAD_NANOS = 50_000_000;
    private static final int HEAP_MEGABYTES = 256;
    private static final int UNMEASURED = 20;
    private static final int TAKES = 200;

    private final EmbeddedRedis redis;
    private final Duration time;
    private final Fleet fleet;
    /** The reads of the server that the measurement causes. */
    private final long readsOfMeter;

    private int rounds;

    /** Starts the JVMs; the single thread works for so long. */
    public Retained(EmbeddedRedis redis, Duration time) {
        this.redis = redis;
        this.time = time;
        ServerStats before = ServerStats.now(redis);
        readsOfMeter = ServerStats.now(redis).since(before).reads();
        fleet = Fleet.start(2, HEAP_MEGABYTES, Worker.class, redis.uri(), 2);
    }

    @Override
    public String title() {
        return "One name, 1 thread, and another process that acquires it";
    }

    @Override
    public String progress(Round round) {
        return Math.round(round.rate()) + " pairs/s, " + Numbers.of(round.figure(Figure.COMMANDS_PER_SECOND))
                + " commands/s, taken within " + Numbers.of(round.figure(Figure.TAKE_MICROS)) + " us, hand-off within "
                + Numbers.of(round.figure(Figure.GAP_MICROS)) + " us";
    }

    @Override
    public Round round(Contestant contestant) {
        redis.flush();
        fleet.witness().clear();
        String lock = "retained-" + rounds++;
        fleet.fewAtATime(Message.of("open").with("subject", contestant));
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        Sample alone = alone(lock + "-alone");
        double reads = Math.max(
                alone.server().reads() - readsOfMeter, alone.server().scripts().calls());
        figures.put(Figure.COMMANDS_PER_SECOND, reads / (alone.nanos() / 1e9));
        figures.put(Figure.TAKE_MICROS, takeMicros(lock + "-taken"));
        contend(lock + "-contended", contestant, figures);
        fleet.all(Message.of("close"));
        return new Round(alone, figures, "");
    }

    private Sample alone(String lock) {
        fleet.one(0, Message.of("start").with("job", PairJob.NAME).with("lock", lock));
        ServerStats before = ServerStats.now(redis);
        long begin = System.nanoTime() + LEAD_NANOS;
        Message answer = fleet.one(0, Message.of("go").with("begin", begin).with("end", begin + time.toNanos()));
        ServerStats server = ServerStats.now(redis).since(before);
        return new Sample(answer.number("pairs"), answer.number("finished") - begin, answer.number("cpu"), 0, server);
    }

    /** Returns the median time to acquire the lock that the other process released a moment before. */
    private double takeMicros(String lock) {
        fleet.all(
                Message.of("start").with("job", TakeJob.NAME).with("lock", lock).with("place", 0));
        List<Long> nanos = new ArrayList<>();
        for (int n = 0; n < UNMEASURED + TAKES; n++) {
            Pause.of(WORK);
            long taken = fleet.one(n % 2, Message.of("go")).number("nanos");
            if (n >= UNMEASURED) {
                nanos.add(taken);
            }
        }
        return Spread.of(nanos, Long::doubleValue).median() / 1e3;
    }

    private void contend(String lock, Contestant contestant, Map<Figure, Double> figures) {
        fleet.all(Message.of("start")
                .with("job", ContendJob.NAME)
                .with("lock", lock)
                .with("place", 1)
                .with("threads", 1)
                .with("work", WORK.toNanos())
                .with("writes", Contended.Shape.ALL));
        long begin = System.nanoTime() + LEAD_NANOS;
        List<Message> answers =
                fleet.all(Message.of("go").with("begin", begin).with("end", begin + CONTENDED.toNanos()));
        long errors = answers.stream().mapToLong(a -> a.number("errors")).sum();
        Demand.ofLeasehold(
                contestant,
                errors == 0,
                answers.get(0).text("error") + answers.get(1).text("error"));
        double[] gaps = answers.stream()
                .flatMapToLong(a -> Arrays.stream(a.numbers("gaps")))
                .asDoubleStream()
                .toArray();
        figures.put(
                Figure.GAP_MICROS,
                gaps.length == 0 ? Double.NaN : Spread.of(gaps).median() / 1e3);
        figures.put(Figure.ERRORS, (double) errors);
    }

    @Override
    public void close() {
        fleet.close();
    }
}
