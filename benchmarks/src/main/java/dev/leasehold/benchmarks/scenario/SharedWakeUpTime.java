package dev.leasehold.benchmarks.scenario;

import dev.leasehold.Leasehold;
import dev.leasehold.benchmarks.IncorrectException;
import dev.leasehold.benchmarks.measure.Pause;
import dev.leasehold.interop.Formats;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.ShardedSubscriptionMode;

/** A holder of one library releases a lock for which a thread of another client waits, perhaps of the other library. */
public final class SharedWakeUpTime implements AutoCloseable {

    private static final String NAME = "shared";
    private static final String CHANNEL = "redisson_lock__channel:{" + NAME + "}";
    private static final long LIMIT_SECONDS = 60;
    private static final Duration WORK = Duration.ofMillis(1);

    private final List<EmbeddedRedis> servers;
    private final List<RedissonClient> redisson;
    private final List<Leasehold> leasehold;

    /** Two threads: that of the holder, and that of the waiter. */
    private final List<ExecutorService> threads =
            List.of(Executors.newSingleThreadExecutor(), Executors.newSingleThreadExecutor());

    /** The last library that had the contended lock; changed by its holders only. */
    private volatile String last = "";

    /**
     * What the threads of one library had of a contended lock.
     *
     * @param acquisitions how often they acquired it
     * @param taken how often after a thread of the other library
     * @param longestMillis the longest wait
     */
    public record Share(long acquisitions, long taken, double longestMillis) {

        Share and(Share other) {
            return new Share(
                    acquisitions + other.acquisitions,
                    taken + other.taken,
                    Math.max(longestMillis, other.longestMillis));
        }
    }

    private SharedWakeUpTime(List<EmbeddedRedis> servers, String uri, Config config) {
        this.servers = servers;
        redisson = List.of(Redisson.create(config), Redisson.create(config));
        leasehold = List.of(Leasehold.connect(uri), Leasehold.connect(uri));
    }

    /** Connects two clients of each library to a server. */
    public static SharedWakeUpTime at(EmbeddedRedis redis) {
        redis.flush();
        Config config = new Config();
        config.useSingleServer().setAddress(redis.uri());
        return new SharedWakeUpTime(List.of(redis), redis.uri(), config);
    }

    /** Connects two clients of each library to a cluster, those of Redisson with or without sharded channels. */
    public static SharedWakeUpTime at(EmbeddedCluster cluster, boolean sharded) {
        Config config = new Config();
        config.useClusterServers()
                .addNodeAddress(cluster.uri())
                .setShardedSubscriptionMode(sharded ? ShardedSubscriptionMode.ON : ShardedSubscriptionMode.OFF);
        return new SharedWakeUpTime(cluster.nodes(), cluster.uri(), config);
    }

    private Lock lock(String library, int client) {
        if (library.equals("Redisson")) {
            return redisson.get(client).getLock(NAME);
        }
        return leasehold.get(client).lock(NAME, Formats.redisson());
    }

    /** Returns the pairs of libraries, the holder's first. */
    public static List<List<String>> pairs() {
        return List.of(
                List.of("Leasehold", "Redisson"),
                List.of("Redisson", "Leasehold"),
                List.of("Leasehold", "Leasehold"),
                List.of("Redisson", "Redisson"));
    }

    /** Returns the times in us from the call of the release to the return of the waiter's call, by pair. */
    public Map<List<String>, double[]> run(int times) throws InterruptedException {
        Map<List<String>, double[]> micros = new LinkedHashMap<>();
        for (List<String> pair : pairs()) {
            double[] each = new double[times];
            for (int n = 0; n < times; n++) {
                each[n] = once(lock(pair.get(0), 0), lock(pair.get(1), 1));
            }
            micros.put(pair, each);
        }
        return micros;
    }

    private double once(Lock held, Lock awaited) throws InterruptedException {
        try {
            threads.get(0).submit(held::lock).get(LIMIT_SECONDS, TimeUnit.SECONDS);
            Future<Long> acquired = threads.get(1).submit(() -> {
                awaited.lock();
                return System.nanoTime();
            });
            awaitListener();
            long before = threads.get(0)
                    .submit(() -> {
                        long now = System.nanoTime();
                        held.unlock();
                        return now;
                    })
                    .get(LIMIT_SECONDS, TimeUnit.SECONDS);
            double micros = (acquired.get(LIMIT_SECONDS, TimeUnit.SECONDS) - before) / 1e3;
            threads.get(1).submit(awaited::unlock).get(LIMIT_SECONDS, TimeUnit.SECONDS);
            return micros;
        } catch (ExecutionException | TimeoutException e) {
            throw new IncorrectException("a shared lock was not handed on: " + e);
        }
    }

    /** Lets a thread of each client contend for the lock, and returns what each library had of it. */
    public Map<String, Share> contend(Duration time) throws InterruptedException {
        ExecutorService contenders = Executors.newCachedThreadPool();
        Map<String, List<Future<Share>>> shares = new LinkedHashMap<>();
        long end = System.nanoTime() + time.toNanos();
        for (String library : List.of("Leasehold", "Redisson")) {
            shares.put(
                    library,
                    Stream.of(0, 1)
                            .map(client -> contenders.submit(() -> contend(library, lock(library, client), end)))
                            .toList());
        }
        Map<String, Share> sums = new LinkedHashMap<>();
        try {
            for (Map.Entry<String, List<Future<Share>>> each : shares.entrySet()) {
                for (Future<Share> share : each.getValue()) {
                    sums.merge(
                            each.getKey(), share.get(time.toSeconds() + LIMIT_SECONDS, TimeUnit.SECONDS), Share::and);
                }
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new IncorrectException("a shared lock was not handed on: " + e);
        } finally {
            contenders.shutdownNow();
        }
        return sums;
    }

    private Share contend(String library, Lock lock, long end) {
        Share sum = new Share(0, 0, 0);
        for (long begin = System.nanoTime(); begin - end < 0; begin = System.nanoTime()) {
            lock.lock();
            try {
                double waited = (System.nanoTime() - begin) / 1e6;
                sum = sum.and(new Share(1, last.equals(library) ? 0 : 1, waited));
                last = library;
                Pause.of(WORK);
            } finally {
                lock.unlock();
            }
        }
        return sum;
    }

    private boolean isHeard() {
        return Stream.of("NUMSUB", "SHARDNUMSUB")
                .flatMap(kind -> servers.stream().map(server -> server.command("PUBSUB", kind, CHANNEL)))
                .anyMatch(reply -> !List.of(CHANNEL, 0L).equals(reply));
    }

    /** The waiter is subscribed; a moment later it waits. */
    private void awaitListener() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!isHeard()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IncorrectException("nobody listens for the release");
            }
            Pause.of(Duration.ofMillis(1));
        }
        Pause.of(Duration.ofMillis(5));
    }

    @Override
    public void close() {
        threads.forEach(ExecutorService::shutdown);
        leasehold.forEach(Leasehold::close);
        redisson.forEach(RedissonClient::shutdown);
    }
}
