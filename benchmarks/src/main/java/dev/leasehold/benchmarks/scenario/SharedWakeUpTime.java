package dev.leasehold.benchmarks.scenario;

import dev.leasehold.Leasehold;
import dev.leasehold.LockFormat;
import dev.leasehold.benchmarks.IncorrectException;
import dev.leasehold.benchmarks.measure.Pause;
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
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A holder of one library releases a lock for which a thread of another client waits, perhaps of the other library. */
public final class SharedWakeUpTime implements AutoCloseable {

    private static final String NAME = "shared";
    private static final String CHANNEL = "redisson_lock__channel:{" + NAME + "}";
    private static final long LIMIT_SECONDS = 60;

    private final EmbeddedRedis redis;
    private final List<RedissonClient> redisson;
    private final List<Leasehold> leasehold;

    /** Two threads: that of the holder, and that of the waiter. */
    private final List<ExecutorService> threads =
            List.of(Executors.newSingleThreadExecutor(), Executors.newSingleThreadExecutor());

    /** Connects two clients of each library. */
    public SharedWakeUpTime(EmbeddedRedis redis) {
        this.redis = redis;
        redis.flush();
        redisson = List.of(redisson(redis.uri()), redisson(redis.uri()));
        leasehold = List.of(Leasehold.connect(redis.uri()), Leasehold.connect(redis.uri()));
    }

    private static RedissonClient redisson(String uri) {
        Config config = new Config();
        config.useSingleServer().setAddress(uri);
        return Redisson.create(config);
    }

    private Lock lock(String library, int client) {
        if (library.equals("Redisson")) {
            return redisson.get(client).getLock(NAME);
        }
        return leasehold.get(client).lock(NAME, LockFormat.redisson());
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

    /** The waiter is subscribed; a moment later it waits. */
    private void awaitListener() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!(redis.command("PUBSUB", "NUMSUB", CHANNEL) instanceof List<?> reply)
                || String.valueOf(reply.get(1)).equals("0")) {
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
