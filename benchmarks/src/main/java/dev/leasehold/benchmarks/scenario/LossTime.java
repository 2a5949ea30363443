package dev.leasehold.benchmarks.scenario;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.benchmarks.IncorrectException;
import dev.leasehold.benchmarks.measure.Pause;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A client holds many locks, and some of them are taken away: the time from that until its listener is called. */
public final class LossTime implements AutoCloseable {

    private static final int THREADS = 16;
    private static final long LIMIT_SECONDS = 60;

    private final EmbeddedRedis redis;
    private final Leasehold leasehold;
    private final Leasehold other;
    private final List<Held> held = new ArrayList<>();

    /** A lock, and when its holder heard of its loss. */
    private record Held(String name, Lease lease, CompletableFuture<Long> lost) {}

    /** What takes a lock away. */
    private interface Thief {
        void take(String name);
    }

    /** Connects, and takes so many locks. */
    public LossTime(EmbeddedRedis redis, int locks) throws InterruptedException {
        this.redis = redis;
        redis.flush();
        leasehold = Leasehold.connect(redis.uri());
        other = Leasehold.connect(redis.uri());
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Held>> all = new ArrayList<>();
            for (int n = 0; n < locks; n++) {
                String name = "loss-" + n;
                all.add(() -> hold(name));
            }
            for (Future<Held> each : threads.invokeAll(all)) {
                held.add(each.get());
            }
        } catch (ExecutionException e) {
            throw new IncorrectException("a lock was not acquired: " + e.getCause());
        } finally {
            threads.shutdown();
        }
        awaitTracking(locks);
    }

    private Held hold(String name) {
        Lease lease = leasehold.lock(name).tryAcquire().orElseThrow();
        CompletableFuture<Long> lost = new CompletableFuture<>();
        lease.onLost(event -> lost.complete(System.nanoTime()));
        return new Held(name, lease, lost);
    }

    private void awaitTracking(int locks) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (Long.parseLong(redis.info("stats").get("tracking_total_keys")) < locks) {
            if (System.nanoTime() - deadline > 0) {
                throw new IncorrectException("Redis does not track all keys");
            }
            Pause.of(Duration.ofMillis(20));
        }
    }

    /** Takes so many locks away in each way, one after another, and then all others at once; returns the times in ms by way. */
    public Map<String, double[]> run(int losses) throws InterruptedException {
        Map<String, Thief> thieves = new LinkedHashMap<>();
        thieves.put("DEL", name -> redis.command("DEL", key(name)));
        thieves.put("UNLINK", name -> redis.command("UNLINK", key(name)));
        thieves.put("forced release by another client", name -> other.lock(name).forceRelease());
        Map<String, double[]> times = new LinkedHashMap<>();
        for (Map.Entry<String, Thief> each : thieves.entrySet()) {
            double[] millis = new double[losses];
            for (int n = 0; n < losses; n++) {
                Held next = held.remove(held.size() - 1);
                long before = System.nanoTime();
                each.getValue().take(next.name);
                millis[n] = millisUntilLost(next, before);
            }
            times.put(each.getKey(), millis);
        }
        int rest = held.size();
        long before = System.nanoTime();
        redis.command("FLUSHALL");
        double[] millis = new double[rest];
        for (int n = 0; n < rest; n++) {
            millis[n] = millisUntilLost(held.get(n), before);
        }
        held.clear();
        times.put("FLUSHALL, all other locks", millis);
        return times;
    }

    private static double millisUntilLost(Held taken, long before) throws InterruptedException {
        try {
            return (taken.lost.get(LIMIT_SECONDS, TimeUnit.SECONDS) - before) / 1e6;
        } catch (ExecutionException | TimeoutException e) {
            throw new IncorrectException("the loss of " + taken.name + " was never reported: " + e);
        }
    }

    private static String key(String name) {
        return "leasehold:{" + name + "}";
    }

    @Override
    public void close() {
        other.close();
        leasehold.close();
    }
}
