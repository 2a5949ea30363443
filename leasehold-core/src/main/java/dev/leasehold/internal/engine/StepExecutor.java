package dev.leasehold.internal.engine;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Runs steps of asynchronous operations on the callback executor; on the calling thread if that takes no more tasks. */
final class StepExecutor {

    private final Executor executor;

    StepExecutor(Executor executor) {
        this.executor = executor;
    }

    void run(Runnable step) {
        try {
            executor.execute(step);
        } catch (RejectedExecutionException e) {
            step.run();
        }
    }
}
