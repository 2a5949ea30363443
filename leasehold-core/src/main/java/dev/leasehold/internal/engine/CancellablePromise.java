package dev.leasehold.internal.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a caller is given for an acquisition that no thread waits for. */
final class CancellablePromise {

    private CancellablePromise() {}

    /** Starts the acquisition. Whoever completes the stage himself, by cancelling it or otherwise, gives it up. */
    static <D, T> CompletionStage<T> of(Engine engine, Operation<D> acquisition, Function<D, T> result) {
        AsyncDriver<D> driver = new AsyncDriver<>(engine, acquisition);
        CompletableFuture<T> promise = new CompletableFuture<>();
        AtomicBoolean ours = new AtomicBoolean();
        CompletionStage<T> anyEnd = promise;
        anyEnd.whenComplete((value, failure) -> {
            // Cancelled, timed out or completed by the caller: nobody will ever see the lease.
            if (!ours.get()) {
                driver.cancel();
            }
        });
        driver.start().whenComplete((done, bug) -> {
            ours.set(true);
            if (!settle(promise, done, bug, result)) {
                driver.cancel();
            }
        });
        return promise;
    }

    private static <D, T> boolean settle(
            CompletableFuture<T> promise, @Nullable D done, @Nullable Throwable bug, Function<D, T> result) {
        if (done == null) {
            return promise.completeExceptionally(bug == null ? new IllegalStateException("no outcome") : bug);
        }
        if (promise.isDone()) {
            return false;
        }
        try {
            return promise.complete(result.apply(done));
        } catch (RuntimeException e) {
            return promise.completeExceptionally(e);
        }
    }
}
