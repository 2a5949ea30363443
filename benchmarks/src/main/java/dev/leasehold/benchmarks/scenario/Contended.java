package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.job.ContendJob;
import dev.leasehold.benchmarks.job.RoundTripJob;
import dev.leasehold.benchmarks.job.Worker;
import dev.leasehold.benchmarks.measure.Figure;
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
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** All threads of one or several JVMs acquire one lock repeatedly. */
public final class Contended implements Trial {

    private static final long LEAD_NANOS = 100_000_000;
    private static final long PAUSE_NANOS = 5_000_000;
    private static final int ROUND_TRIPS = 100;
    private static final Duration WARM_UP = Duration.ofSeconds(5);

    private final EmbeddedRedis redis;
    private final Shape shape;
    private final Duration time;
    private final Fleet fleet;
    private int rounds;

    /**
     * The contention.
     *
     * @param jvms the number of JVMs
     * @param threads the number of threads in each
     * @param work how long each thread holds the lock
     * @param writes the number of writing, exclusive turns among 100; the others read
     */
    public record Shape(int jvms, int threads, Duration work, int writes) {

        static final int ALL = 100;

        /** Creates a shape in which all turns are exclusive. */
        public Shape(int jvms, int threads, Duration work) {
            this(jvms, threads, work, ALL);
        }

        String title() {
            return "One name, " + (jvms == 1 ? "1 JVM" : jvms + " JVMs") + " x "
                    + (threads == 1 ? "1 thread" : threads + " threads")
                    + (work.isZero() ? "" : ", " + work.toMillis() + " ms of work")
                    + (writes == ALL ? "" : ", " + writes + " % writes");
        }
    }

    /** Starts the JVMs. */
    public Contended(EmbeddedRedis redis, Shape shape, Duration time) {
        this.redis = redis;
        this.shape = shape;
        this.time = time;
        fleet = Fleet.start(shape.jvms, shape.jvms > 8 ? 128 : 256, Worker.class, redis.uri(), (shape.jvms + 1) / 2);
    }

    @Override
    public String title() {
        return shape.title();
    }

    @Override
    public String progress(Round round) {
        return Math.round(round.rate()) + " pairs/s"
                + (round.figures().containsKey(Figure.GAP_MICROS)
                        ? ", gap " + Numbers.of(round.figure(Figure.GAP_ROUND_TRIPS)) + " round trips, "
                                + Numbers.of(round.figure(Figure.SCRIPTS_PER_HAND_OFF)) + " scripts a hand-off"
                        : "");
    }

    /**
     * Warms up with a lock for each two JVMs and without work: with one lock each JVM would have a handful of turns
     * in a round.
     */
    @Override
    public void warmUp(Contestant contestant) {
        if (!shape.work.isZero()) {
            redis.flush();
            fleet.witness().clear();
            fleet.fewAtATime(Message.of("open").with("subject", contestant));
            fleet.each(n -> start("warm-" + n / 2, n / 2, Duration.ZERO));
            go(System.nanoTime() + LEAD_NANOS, WARM_UP);
            fleet.all(Message.of("close"));
        }
    }

    @Override
    public Round round(Contestant contestant) {
        redis.flush();
        fleet.witness().clear();
        double roundTrip = shape.work.isZero() ? Double.NaN : roundTrip();
        fleet.fewAtATime(Message.of("open").with("subject", contestant));
        fleet.all(start("contended-" + rounds++, 0, shape.work));
        ServerStats before = ServerStats.now(redis);
        long begin = System.nanoTime() + LEAD_NANOS;
        List<Message> answers = go(begin, time);
        ServerStats server = ServerStats.now(redis).since(before);
        fleet.all(Message.of("close"));
        return round(contestant, answers, begin, server, roundTrip);
    }

    private Message start(String lock, int place, Duration work) {
        return Message.of("start")
                .with("job", ContendJob.NAME)
                .with("lock", lock)
                .with("place", place)
                .with("threads", shape.threads)
                .with("work", work.toNanos())
                .with("writes", shape.writes);
    }

    private List<Message> go(long begin, Duration length) {
        return fleet.all(Message.of("go").with("begin", begin).with("end", begin + length.toNanos()));
    }

    /** Measures in a JVM like the measured ones, on the same machine, while no other process works. */
    private double roundTrip() {
        fleet.one(0, Message.of("open").with("subject", Contestant.FLOOR));
        fleet.one(
                0,
                Message.of("start")
                        .with("job", RoundTripJob.NAME)
                        .with("times", ROUND_TRIPS)
                        .with("pause", PAUSE_NANOS));
        long[] nanos = fleet.one(0, Message.of("go")).numbers("nanos");
        fleet.one(0, Message.of("close"));
        return medianMicros(LongStream.of(nanos));
    }

    private Round round(
            Contestant contestant, List<Message> answers, long begin, ServerStats server, double roundTrip) {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        long[] pairs = answers.stream().mapToLong(a -> a.number("pairs")).toArray();
        long errors = sum(answers, "errors");
        String remark = remark(answers);
        Sample sample = new Sample(
                Arrays.stream(pairs).sum(),
                answers.stream().mapToLong(a -> a.number("finished")).max().orElseThrow() - begin,
                sum(answers, "cpu"),
                0,
                server);
        boolean ended = sample.pairs() > 0 && sum(answers, "stuck") == 0;
        Demand.ofLeasehold(contestant, ended, "threads are still waiting long after the end");
        Demand.ofLeasehold(contestant, errors == 0, remark);
        figures.put(Figure.ERRORS, (double) errors);
        figures.put(
                Figure.LONGEST_WAIT_MILLIS,
                answers.stream().mapToLong(a -> a.number("longest")).max().orElseThrow() / 1e6);
        if (pairs.length > 1) {
            figures.put(
                    Figure.SLOWEST_TO_FASTEST,
                    (double) Arrays.stream(pairs).min().orElseThrow()
                            / Math.max(1, Arrays.stream(pairs).max().orElseThrow()));
            handOffs(figures, answers, server, roundTrip);
        }
        return new Round(sample, figures, remark);
    }

    private static void handOffs(
            Map<Figure, Double> figures, List<Message> answers, ServerStats server, double roundTrip) {
        long handOffs = sum(answers, "handovers");
        figures.put(Figure.HAND_OFFS, (double) handOffs);
        figures.put(Figure.SCRIPTS_PER_HAND_OFF, (double) server.scripts().calls() / handOffs);
        double gap = medianMicros(answers.stream().flatMapToLong(a -> Arrays.stream(a.numbers("gaps"))));
        figures.put(Figure.GAP_MICROS, gap);
        figures.put(
                Figure.RELEASE_MICROS,
                medianMicros(answers.stream().flatMapToLong(a -> Arrays.stream(a.numbers("releases")))));
        if (!Double.isNaN(roundTrip)) {
            figures.put(Figure.ROUND_TRIP_MICROS, roundTrip);
            figures.put(Figure.GAP_ROUND_TRIPS, gap / roundTrip);
        }
    }

    private static String remark(List<Message> answers) {
        return answers.stream()
                .map(a -> a.text("error"))
                .filter(error -> !error.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static long sum(List<Message> answers, String key) {
        return answers.stream().mapToLong(a -> a.number(key)).sum();
    }

    private static double medianMicros(LongStream nanos) {
        double[] values = nanos.asDoubleStream().toArray();
        return values.length == 0 ? Double.NaN : Spread.of(values).median() / 1e3;
    }

    @Override
    public void close() {
        fleet.close();
    }
}
