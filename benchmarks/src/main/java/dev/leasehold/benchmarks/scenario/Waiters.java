package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.job.HoldJob;
import dev.leasehold.benchmarks.job.WaitJob;
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
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One JVM holds all locks, and threads of others wait for them, each once. When all wait, they are left idle for a
 * while, to measure the cost of waiting; then all locks are released.
 */
public final class Waiters implements Trial {

    private static final Duration WAVE_PAUSE = Duration.ofMillis(50);
    private static final Duration WAVE_LIMIT = Duration.ofSeconds(1);

    private final EmbeddedRedis redis;
    private final Shape shape;
    private final Duration idle;
    private final Duration limit;
    private final Fleet fleet;
    private final long readsOfMeter;
    private int rounds;

    /**
     * The waiters and their locks.
     *
     * @param jvms the number of JVMs, beside the one that holds the locks
     * @param waiters the number of waiting threads, all JVMs together
     * @param names the number of locks, each thread waiting for one
     * @param waves the number of steps in which they arrive; the order is known only between steps
     * @param settle the time until the last of them waits
     */
    public record Shape(int jvms, int waiters, int names, int waves, Duration settle) {

        String title() {
            return Numbers.of((long) waiters) + " waiters on "
                    + (names == 1 ? "1 name" : Numbers.of((long) names) + " names")
                    + (jvms == 1 ? ", 1 JVM" : ", " + jvms + " JVMs");
        }
    }

    /** Starts the JVMs; a waiter that has not been served so long after the releases is lost. */
    public Waiters(EmbeddedRedis redis, Shape shape, Duration idle, Duration limit) {
        this.redis = redis;
        this.shape = shape;
        this.idle = idle;
        this.limit = limit;
        ServerStats before = ServerStats.now(redis);
        readsOfMeter = ServerStats.now(redis).since(before).reads();
        fleet = Fleet.start(1 + shape.jvms, shape.jvms > 8 ? 128 : 384, Worker.class, redis.uri(), shape.names);
    }

    @Override
    public String title() {
        return shape.title();
    }

    @Override
    public String progress(Round round) {
        return "served " + Math.round(round.figure(Figure.SERVED)) + " in "
                + Numbers.of(round.figure(Figure.SERVED_SECONDS)) + " s, idle "
                + Numbers.of(round.figure(Figure.IDLE_COMMANDS)) + " commands/s a waiter, "
                + Math.round(round.figure(Figure.SUBSCRIPTIONS)) + " subscriptions, "
                + Math.round(round.figure(Figure.OUT_OF_ORDER)) + " out of order"
                + (round.remark().isEmpty() ? "" : ", " + round.remark());
    }

    @Override
    public Round round(Contestant contestant) {
        redis.flush();
        fleet.witness().clear();
        fleet.fewAtATime(Message.of("open").with("subject", contestant));
        String lock = "waiters-" + rounds++ + "-";
        fleet.one(
                0,
                Message.of("start")
                        .with("job", HoldJob.NAME)
                        .with("lock", lock)
                        .with("locks", shape.names)
                        .with("threads", contestant.holdingThreads())
                        .with("witness", true));
        fleet.from(1, waiting(lock));
        for (int wave = 0; wave < shape.waves; wave++) {
            long before = ServerStats.now(redis).scripts().calls();
            fleet.from(1, Message.of("step"));
            if (shape.waves > 1) {
                awaitRegistered(before + shape.waiters / shape.waves);
            }
        }
        Pause.of(shape.settle);
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        figures.put(Figure.SUBSCRIPTIONS, (double) Subscriptions.count(redis));
        figures.put(Figure.IDLE_COMMANDS, idleCommands());
        long cpu = cpu();
        ServerStats before = ServerStats.now(redis);
        Message wait = Message.of("go").with("limit", System.nanoTime() + limit.toNanos());
        List<Message> answers = fleet.each(n -> n == 0 ? Message.of("go") : wait);
        ServerStats server = ServerStats.now(redis).since(before);
        long used = cpu() - cpu;
        fleet.all(Message.of("close"));
        return round(contestant, figures, answers, used, server);
    }

    private Message waiting(String lock) {
        return Message.of("start")
                .with("job", WaitJob.NAME)
                .with("lock", lock)
                .with("locks", shape.names)
                .with("waiters", shape.waiters / shape.jvms)
                .with("waves", shape.waves);
    }

    /**
     * Waits until this wave's calls have arrived, so many in all, and no more arrive; then the next wave may start.
     * Calls that register several waiters at once are fewer; then only a pause shows the end.
     */
    private void awaitRegistered(long calls) {
        long deadline = System.nanoTime() + WAVE_LIMIT.toNanos();
        long last = -1;
        long now = ServerStats.now(redis).scripts().calls();
        while (last != now || (now < calls && deadline - System.nanoTime() > 0)) {
            last = now;
            Pause.of(WAVE_PAUSE);
            now = ServerStats.now(redis).scripts().calls();
        }
    }

    /**
     * Returns the requests as the server read them, or scripts if these are more: several commands can be read at
     * once.
     */
    private double idleCommands() {
        ServerStats before = ServerStats.now(redis);
        Pause.of(idle);
        ServerStats during = ServerStats.now(redis).since(before);
        long commands = Math.max(during.reads() - readsOfMeter, during.scripts().calls());
        return commands / (idle.toNanos() / 1e9) / shape.waiters;
    }

    private long cpu() {
        return fleet.all(Message.of("usage")).stream()
                .mapToLong(a -> a.number("cpu"))
                .sum();
    }

    private Round round(
            Contestant contestant, Map<Figure, Double> figures, List<Message> answers, long cpu, ServerStats server) {
        List<Message> waiting = answers.subList(1, answers.size());
        long served = waiting.stream().mapToLong(a -> a.number("served")).sum();
        long last = waiting.stream().mapToLong(a -> a.number("last")).max().orElseThrow();
        long nanos = last - answers.get(0).number("first");
        long late = new Order(waiting).inversions();
        String remark = answers.stream()
                .map(a -> a.text("error"))
                .filter(e -> !e.isEmpty())
                .distinct()
                .limit(1)
                .collect(Collectors.joining());
        Demand.ofLeasehold(
                contestant,
                served == shape.waiters,
                "only " + served + " of " + shape.waiters + " waiters were served within " + limit.toSeconds() + " s"
                        + (remark.isEmpty() ? "" : "; " + remark));
        figures.put(Figure.WAITERS, (double) shape.waiters);
        figures.put(Figure.SERVED, (double) served);
        figures.put(Figure.SERVED_SECONDS, served == shape.waiters ? nanos / 1e9 : Double.POSITIVE_INFINITY);
        figures.put(Figure.OUT_OF_ORDER, shape.waves > 1 ? late : Double.NaN);
        return new Round(new Sample(served, Math.max(1, nanos), cpu, 0, server), figures, remark);
    }

    @Override
    public void close() {
        fleet.close();
    }
}
