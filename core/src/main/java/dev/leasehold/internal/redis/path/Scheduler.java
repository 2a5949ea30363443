package dev.leasehold.internal.redis.path;

import dev.leasehold.spi.TimeSource;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks after a delay, on one daemon thread that starts with the first task and ends after a while without any. Tasks
 * must not block.
 */
public final class Scheduler {

    private static final long IDLE_SECONDS = 5;

    private final ScheduledThreadPoolExecutor executor;
    private final TimeSource time = TimeSource.system();

    /** Starts no thread yet. */
    public Scheduler() {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "leasehold-redis-timer");
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
    }

    public long nanoTime() {
        return time.nanoTime();
    }

    /** Schedules a task, which never runs if this is closed before it is due. */
    public Future<?> schedule(Runnable task, long delayNanos) {
        try {
            return executor.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(new CancellationException("closed"));
        }
    }

    public void close() {
        executor.shutdown();
    }
}
