package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.job.IntrudeJob;
import dev.leasehold.benchmarks.job.OutageJob;
import dev.leasehold.benchmarks.job.Worker;
import dev.leasehold.benchmarks.measure.Pause;
import dev.leasehold.benchmarks.process.Fleet;
import dev.leasehold.benchmarks.process.Message;
import dev.leasehold.benchmarks.subject.Contestant;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Each contestant holds locks on all masters of a cluster, one of which is frozen for a while: the same outage for
 * all of them. Each has two JVMs: one holds the locks. Just before the master resumes, the other tries to acquire
 * the locks on the healthy masters; each that it acquires was lost.
 */
public final class ClusterOutage implements AutoCloseable {

    /** The number of masters. */
    public static final int MASTERS = 3;

    /** The duration of a lease that is not renewed, with all defaults of all contestants. */
    public static final Duration LEASE = Duration.ofSeconds(30);

    private static final int HEAP_MEGABYTES = 256;

    private final List<Contestant> contestants;
    private final int locks;
    private final Duration outage;
    private final EmbeddedCluster cluster;
    private final Fleet fleet;
    private int rounds;

    /**
     * The fate of the locks of one contestant.
     *
     * @param healthy the number of locks on the healthy masters
     * @param lost the number of these that another process acquired, or that were reported as lost
     * @param dead the number of locks on the frozen master
     * @param reported the number of these that were reported as lost within a lease from the freeze
     * @param lastReported the time of the last such report, in seconds; NaN if there was none
     * @param error the error that a caller got; empty if there was none
     */
    public record Result(int healthy, int lost, int dead, int reported, double lastReported, String error) {}

    /** Starts the cluster and two JVMs for each contestant. */
    public ClusterOutage(List<Contestant> contestants, int locks, Duration outage) {
        this.contestants = List.copyOf(contestants);
        this.locks = locks;
        this.outage = outage;
        cluster = EmbeddedCluster.builder()
                .primaries(MASTERS)
                // A server's default; otherwise the other masters would stop serving, and no lock could be kept.
                .nodeTimeout(Duration.ofSeconds(15))
                .settings(EmbeddedRedis.builder().withoutPassword().config("cluster-require-full-coverage", "no"))
                .start();
        fleet = start();
    }

    private Fleet start() {
        try {
            return Fleet.start(2 * contestants.size(), HEAP_MEGABYTES, Worker.class, cluster.uri(), locks);
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** Returns a server, for its version. */
    public EmbeddedRedis server() {
        return cluster.nodes().get(0);
    }

    /** Runs one outage, of another master than the last. */
    public Map<Contestant, Result> round() {
        EmbeddedRedis victim = cluster.nodes().get(rounds % MASTERS);
        String lock = "outage-" + rounds++ + "-";
        fleet.each(n -> Message.of("open").with("subject", of(n)).with("cluster", true));
        fleet.each(n -> n % 2 == 0
                ? Message.of("start")
                        .with("job", OutageJob.NAME)
                        .with("lock", lock)
                        .with("locks", locks)
                        .with("threads", of(n).holdingThreads())
                : Message.of("start")
                        .with("job", IntrudeJob.NAME)
                        .with("lock", lock)
                        .with("which", healthy(of(n), lock, victim)));
        long stopped = System.nanoTime();
        victim.pause();
        Pause.until(stopped + outage.toNanos());
        Map<Contestant, Message> intruders = new EnumMap<>(Contestant.class);
        for (int n = 1; n < fleet.size(); n += 2) {
            intruders.put(of(n), fleet.one(n, Message.of("go")));
        }
        victim.resume();
        cluster.awaitHealthy();
        Map<Contestant, Result> results = new EnumMap<>(Contestant.class);
        for (int n = 0; n < fleet.size(); n += 2) {
            Message holder = fleet.one(n, Message.of("go"));
            long[] healthy = healthy(of(n), lock, victim).toArray();
            results.put(of(n), judge(healthy, stopped, holder, intruders.getOrDefault(of(n), holder)));
        }
        fleet.all(Message.of("close"));
        results.forEach(ClusterOutage::demand);
        return results;
    }

    private Contestant of(int process) {
        return contestants.get(process / 2);
    }

    /** Returns the numbers of the locks that this node does not have. */
    private LongStream healthy(Contestant contestant, String lock, EmbeddedRedis victim) {
        return IntStream.range(0, locks)
                .filter(n -> cluster.nodeOf(contestant.key(lock + n)) != victim)
                .asLongStream();
    }

    static Result judge(long[] healthy, long stopped, Message holder, Message intruder) {
        long[] reported = holder.numbers("reported");
        long[] got = intruder.numbers("got");
        int lost = (int) LongStream.of(healthy)
                .filter(n -> reported[(int) n] != 0 || LongStream.of(got).anyMatch(taken -> taken == n))
                .count();
        long[] dead = IntStream.range(0, reported.length)
                .filter(n -> LongStream.of(healthy).noneMatch(sound -> sound == n))
                .mapToLong(n -> reported[n])
                .toArray();
        long last = LongStream.of(dead).max().orElse(0);
        return new Result(
                healthy.length,
                lost,
                dead.length,
                (int) LongStream.of(dead)
                        .filter(moment -> moment != 0 && moment - stopped <= LEASE.toNanos())
                        .count(),
                last == 0 ? Double.NaN : (last - stopped) / (double) TimeUnit.SECONDS.toNanos(1),
                intruder.text("error").isEmpty() ? holder.text("error") : intruder.text("error"));
    }

    private static void demand(Contestant contestant, Result result) {
        Demand.ofLeasehold(
                contestant,
                result.lost == 0 && result.error.isEmpty(),
                result.lost + " of " + result.healthy + " locks on healthy masters were lost; " + result.error);
    }

    @Override
    public void close() {
        try {
            fleet.close();
        } finally {
            cluster.close();
        }
    }
}
