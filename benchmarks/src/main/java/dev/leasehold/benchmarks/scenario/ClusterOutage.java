package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.job.IntrudeJob;
import dev.leasehold.benchmarks.job.OutageJob;
import dev.leasehold.benchmarks.job.Worker;
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
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Each contestant holds locks on all masters of a cluster, one of which stands still for a while: the same outage for all
 * of them. For each there are two JVMs: one holds; just before the master goes on, the other tries to get the locks on the
 * healthy masters, and what it gets was lost.
 */
public final class ClusterOutage implements AutoCloseable {

    /** How many masters there are. */
    public static final int MASTERS = 3;

    /** How long a lease lasts that is not renewed, with all defaults of all contestants. */
    public static final Duration LEASE = Duration.ofSeconds(30);

    private static final int HEAP_MEGABYTES = 256;

    private final List<Contestant> contestants;
    private final int locks;
    private final Duration outage;
    private final EmbeddedCluster cluster;
    private final Fleet fleet;
    private int rounds;

    /**
     * What became of the locks of one contestant.
     *
     * @param healthy how many locks the healthy masters had
     * @param lost how many of these another process got, or were called lost
     * @param dead how many locks the master had that stood still
     * @param told how many of these were called lost within a lease from when it stood still
     * @param lastTold when the last of these was, in seconds; not a number if none was
     * @param error what a caller saw; empty if nothing
     */
    public record Result(int healthy, int lost, int dead, int told, double lastTold, String error) {}

    /** Starts the cluster and two JVMs for each contestant. */
    public ClusterOutage(List<Contestant> contestants, int locks, Duration outage) {
        this.contestants = List.copyOf(contestants);
        this.locks = locks;
        this.outage = outage;
        cluster = EmbeddedCluster.builder()
                .primaries(MASTERS)
                // As a server has it by default; else the others would cease to serve, and no lock could be kept.
                .nodeTimeout(Duration.ofSeconds(15))
                .settings(EmbeddedRedis.builder().config("cluster-require-full-coverage", "no"))
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

    /** A server, to tell its version. */
    public EmbeddedRedis server() {
        return cluster.nodes().get(0);
    }

    /** One outage, of another master than the last. */
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
        pause(stopped + outage.toNanos());
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

    /** The numbers of the locks that this node does not have. */
    private LongStream healthy(Contestant contestant, String lock, EmbeddedRedis victim) {
        return IntStream.range(0, locks)
                .filter(n -> cluster.nodeOf(contestant.key(lock + n)) != victim)
                .asLongStream();
    }

    static Result judge(long[] healthy, long stopped, Message holder, Message intruder) {
        long[] told = holder.numbers("told");
        long[] got = intruder.numbers("got");
        int lost = (int) LongStream.of(healthy)
                .filter(n -> told[(int) n] != 0 || LongStream.of(got).anyMatch(taken -> taken == n))
                .count();
        long[] dead = IntStream.range(0, told.length)
                .filter(n -> LongStream.of(healthy).noneMatch(sound -> sound == n))
                .mapToLong(n -> told[n])
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
        Demand.ofOurs(
                contestant,
                result.lost == 0 && result.error.isEmpty(),
                result.lost + " of " + result.healthy + " locks on healthy masters were lost; " + result.error);
    }

    private static void pause(long until) {
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
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
