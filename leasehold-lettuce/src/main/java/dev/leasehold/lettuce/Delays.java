package dev.leasehold.lettuce;

import dev.leasehold.spi.TimeSource;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Tasks for later, on one of the threads that Lettuce computes with. They must not block. */
final class Delays {

    private final EventExecutor executor;
    private final TimeSource time = TimeSource.system();

    Delays(EventExecutorGroup executors) {
        executor = executors.next();
    }

    long nanoTime() {
        return time.nanoTime();
    }

    /** Returns whether the client was or is being shut down: no scheduled task may run any more. */
    boolean isOver() {
        return executor.isShuttingDown();
    }

    /** Schedules a task, which never runs if the client is shut down before. */
    Future<?> schedule(Runnable task, long delayNanos) {
        try {
            return executor.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            CompletableFuture<Void> never = new CompletableFuture<>();
            never.cancel(false);
            return never;
        }
    }
}
