package dev.leasehold.internal.request;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The stages that callers receive for operations without a waiting thread. */
final class CancellablePromise {

    private CancellablePromise() {}

    /** Starts the operation. A caller that completes the stage itself, by cancelling it or otherwise, abandons it. */
    static <D, T> CompletionStage<T> of(AsyncDriver<D> driver, Function<D, T> result) {
        CompletableFuture<T> promise = new CompletableFuture<>();
        AtomicBoolean driverEnded = new AtomicBoolean();
        CompletionStage<T> anyEnd = promise;
        anyEnd.whenComplete((value, failure) -> {
            // Cancelled, timed out or completed by the caller: no caller would ever receive the lease.
            if (!driverEnded.get()) {
                driver.cancel();
            }
        });
        driver.start().whenComplete((done, bug) -> {
            driverEnded.set(true);
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

    /** Returns a stage that completes after all stages: with the result of their outcomes, or with the first failure. */
    static <T, R> CompletionStage<R> ofAll(List<CompletionStage<T>> stages, Function<List<T>, R> result) {
        List<CompletableFuture<T>> all =
                stages.stream().map(CompletionStage::toCompletableFuture).toList();
        CompletableFuture<R> promise = new CompletableFuture<>();
        CompletionStage<?> ended = CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new));
        ended.whenComplete((done, failure) -> {
            try {
                promise.complete(
                        result.apply(all.stream().map(CompletableFuture::join).toList()));
            } catch (CompletionException e) {
                promise.completeExceptionally(e.getCause() == null ? e : e.getCause());
            } catch (RuntimeException e) {
                promise.completeExceptionally(e);
            }
        });
        return promise;
    }
}
