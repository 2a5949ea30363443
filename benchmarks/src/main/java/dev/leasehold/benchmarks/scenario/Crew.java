package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.IncorrectException;
import dev.leasehold.benchmarks.measure.Latencies;
import dev.leasehold.benchmarks.measure.Meter;
import dev.leasehold.benchmarks.measure.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/** Threads that start together and repeat a task each until the time is over. */
final class Crew {

    private static final long LIMIT_SECONDS = 60;

    private Crew() {}

    /** A repeated task; each execution counts once. */
    interface Task {
        void once() throws InterruptedException;
    }

    /** Returns a factory of daemon threads with this name and a number. */
    static ThreadFactory threads(String name) {
        AtomicLong count = new AtomicLong();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Lets so many threads, at least one, work; they stay alive until the meter has been read, which counts their allocations. */
    static Sample work(int size, Duration time, Meter meter, IntFunction<Task> tasks) {
        ExecutorService pool = Executors.newFixedThreadPool(size, threads("bench"));
        CountDownLatch ready = new CountDownLatch(size);
        CountDownLatch go = new CountDownLatch(1);
        AtomicLong end = new AtomicLong();
        try {
            List<Future<Long>> results = new ArrayList<>();
            List<Latencies> latencies = new ArrayList<>();
            for (int n = 0; n < size; n++) {
                Task task = tasks.apply(n);
                Latencies own = new Latencies();
                latencies.add(own);
                results.add(pool.submit(() -> {
                    ready.countDown();
                    go.await();
                    return repeat(task, end.get(), own);
                }));
            }
            ready.await();
            Meter.Running running = meter.start();
            end.set(System.nanoTime() + time.toNanos());
            go.countDown();
            long done = 0;
            for (Future<Long> result : results) {
                done += result.get(time.toSeconds() + LIMIT_SECONDS, TimeUnit.SECONDS);
            }
            Latencies all = latencies.get(0);
            latencies.subList(1, size).forEach(all::add);
            return running.stop(done, all);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IncorrectException incorrect) {
                throw incorrect;
            }
            throw new IncorrectException("a thread failed: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IncorrectException("a thread is still waiting " + LIMIT_SECONDS + " s after the end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            pool.shutdownNow();
        }
    }

    /** Times each execution by the same readings of the clock that end the round: the histogram needs none of its own. */
    private static long repeat(Task task, long end, Latencies latencies) throws InterruptedException {
        long done = 0;
        long begun = System.nanoTime();
        while (begun - end < 0) {
            task.once();
            done++;
            long now = System.nanoTime();
            latencies.record(now - begun);
            begun = now;
        }
        return done;
    }
}
