package dev.leasehold.internal.request;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Runs steps of asynchronous operations on the callback executor, or on the calling thread if that executor refuses them. */
public final class StepExecutor {

    private final Executor executor;

    public StepExecutor(Executor executor) {
        this.executor = executor;
    }

    public void run(Runnable step) {
        try {
            executor.execute(step);
        } catch (RejectedExecutionException e) {
            step.run();
        }
    }
}
