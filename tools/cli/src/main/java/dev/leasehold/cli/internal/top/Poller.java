package dev.leasehold.cli.internal.top;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Reads the locks again and again on a thread of its own, until it is closed. */
final class Poller implements AutoCloseable {

    private final Supplier<Reading> source;
    private final long intervalNanos;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread poller = new Thread(task, "top-poller");
        poller.setDaemon(true);
        return poller;
    });

    Poller(Supplier<Reading> source, Duration interval) {
        this.source = source;
        this.intervalNanos = interval.toNanos();
    }

    /** Begins after one interval. The consumer receives the readings on the thread of this poller. */
    void start(Consumer<Reading> consumer) {
        schedule(consumer, intervalNanos);
    }

    private void schedule(Consumer<Reading> consumer, long delayNanos) {
        ScheduledFuture<?> unused = thread.schedule(() -> read(consumer), delayNanos, TimeUnit.NANOSECONDS);
    }

    /** Pauses at least as long as the reading took, so that many locks keep Redis busy half of the time at most. */
    private void read(Consumer<Reading> consumer) {
        long start = System.nanoTime();
        consumer.accept(source.get());
        if (!thread.isShutdown()) {
            schedule(consumer, Math.max(intervalNanos, System.nanoTime() - start));
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
