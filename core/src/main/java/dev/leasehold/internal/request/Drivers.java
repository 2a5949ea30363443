package dev.leasehold.internal.request;

import dev.leasehold.internal.key.LockKey;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Runs operations: on the caller's thread, without a waiting thread, or several in parallel. Safe for use by any thread. */
public final class Drivers {

    private final RequestContext context;
    private final CallSender calls;
    private final StepExecutor steps;
    private final EventLoopGuard guard;

    public Drivers(RequestContext context, CallSender calls, StepExecutor steps, EventLoopGuard guard) {
        this.context = context;
        this.calls = calls;
        this.steps = steps;
        this.guard = guard;
    }

    /**
     * Refuses to block an event loop. Callers that wait for an answer, and have an asynchronous form, begin with this.
     *
     * @throws IllegalStateException if the calling thread is an event loop
     */
    public void refuseOnEventLoop(LockKey key) {
        guard.refuse(key);
    }

    /**
     * Runs an operation to its end on the caller's thread.
     *
     * @throws InterruptedException if interrupted before a request or while waiting; nothing stays held
     */
    public <T> T run(Operation<T> operation) throws InterruptedException {
        return new BlockingDriver<>(calls, context, operation).run();
    }

    /** Runs an operation to its end on the caller's thread; an interrupt is restored afterwards. */
    public <T> T runUninterruptibly(Operation<T> operation) {
        return new BlockingDriver<>(calls, context, operation).runUninterruptibly();
    }

    /** Runs operations in parallel to their ends on the caller's thread; an interrupt is restored afterwards. */
    public <T> List<T> runAll(List<? extends Operation<T>> operations) {
        return new ParallelDriver<>(calls, context, operations).run();
    }

    /**
     * Runs a release to its end on the caller's thread; an interrupt is restored afterwards. An event loop only starts it, and its
     * outcome is empty unless it is known at once.
     */
    public <T> Optional<T> release(Operation<Optional<T>> release) {
        return guard.onEventLoop()
                ? start(release).toCompletableFuture().getNow(Optional.empty())
                : runUninterruptibly(release);
    }

    /** Runs releases in parallel to their ends on the caller's thread, as {@link #release} does; an event loop only starts them. */
    public <T> void releaseAll(List<? extends Operation<T>> releases) {
        if (guard.onEventLoop()) {
            for (Operation<T> release : releases) {
                CompletionStage<T> unused = start(release);
            }
        } else {
            List<T> unused = runAll(releases);
        }
    }

    /** Starts an operation without a waiting thread. */
    public <T> CompletionStage<T> start(Operation<T> operation) {
        return driver(operation).start();
    }

    /**
     * Starts an operation without a waiting thread; a caller that completes the stage itself, by cancelling it or otherwise,
     * abandons the operation.
     */
    public <D, T> CompletionStage<T> promise(Operation<D> operation, Function<D, T> result) {
        return CancellablePromise.of(driver(operation), result);
    }

    /** Starts operations in parallel. After all have ended, the stage completes, or fails with the first failure. */
    public <T, R> CompletionStage<R> startAll(List<? extends Operation<T>> operations, Function<List<T>, R> result) {
        return CancellablePromise.ofAll(
                operations.stream().map(operation -> driver(operation).start()).toList(), result);
    }

    private <T> AsyncDriver<T> driver(Operation<T> operation) {
        return new AsyncDriver<>(calls, context, steps, operation);
    }
}
