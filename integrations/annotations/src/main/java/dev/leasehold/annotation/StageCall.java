package dev.leasehold.annotation;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A method that has returned a stage and continues under its lock. */
final class StageCall {

    private StageCall() {}

    /** Returns the stage for the caller, which completes after the method's stage and the release of the lock. */
    static <T> CompletableFuture<T> holdUntilDone(LockedMethod method, CompletionStage<T> stage, Hold hold) {
        CompletableFuture<T> promise = new CompletableFuture<>();
        stage.whenComplete((value, error) -> hold.leaveAsync().whenComplete((done, lost) -> {
            if (error == null && lost == null) {
                promise.complete(value);
            } else {
                promise.completeExceptionally(first(error, lost));
            }
        }));
        CompletableFuture<?> unused = promise.whenComplete((value, error) -> {
            if (promise.isCancelled()) {
                stage.toCompletableFuture().cancel(true);
            }
        });
        if (method.onLoss() == Lock.OnLoss.INTERRUPT) {
            hold.lease().onLost(event -> {
                promise.completeExceptionally(hold.loss());
                stage.toCompletableFuture().cancel(true);
            });
        }
        return promise;
    }

    private static Throwable first(@Nullable Throwable error, @Nullable Throwable lost) {
        if (error == null) {
            return lost == null ? new IllegalStateException("nothing failed") : lost;
        }
        if (lost != null && lost != error) {
            error.addSuppressed(lost);
        }
        return error;
    }
}
