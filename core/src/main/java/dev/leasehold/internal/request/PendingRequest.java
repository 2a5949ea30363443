package dev.leasehold.internal.request;

import dev.leasehold.internal.concurrent.Doubtable;
import dev.leasehold.spi.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A request that nobody waits for on a thread, from its sending to the first of answer, failure and timeout. Everything that is
 * sent without a blocked caller times out here, and is answered late here.
 */
public final class PendingRequest<A> {

    private final CompletableFuture<A> future;
    private final long timeoutNanos;
    private final Executor turn;
    private final Handler<A> handler;
    private final AtomicBoolean over = new AtomicBoolean();

    /** Handles the outcome: by {@code answered} or by {@code failed}, and after a timeout possibly by {@code answeredLate}, too. */
    public interface Handler<A> {

        void answered(A answer);

        /** Handles a failure, or the absence of an answer in time. */
        void failed(RuntimeException failure);

        void answeredLate(A answer);
    }

    private PendingRequest(CompletableFuture<A> future, long timeoutNanos, Executor turn, Handler<A> handler) {
        this.future = future;
        this.timeoutNanos = timeoutNanos;
        this.turn = turn;
        this.handler = handler;
    }

    /**
     * Waits for the outcome without a thread.
     *
     * @param turn runs the handler, which is called by one thread at a time if this executor is serial
     */
    public static <A> void await(
            CompletableFuture<A> future, long timeoutNanos, Timer timer, Executor turn, Handler<A> handler) {
        PendingRequest<A> request = new PendingRequest<>(future, timeoutNanos, turn, handler);
        Timer.Timeout timeout = timer.schedule(request::timedOut, timeoutNanos);
        CompletionStage<?> unused = future.whenComplete((answer, failure) -> {
            timeout.cancel();
            request.completed(answer, failure);
        });
    }

    private void completed(@Nullable A answer, @Nullable Throwable failure) {
        boolean late = !over.compareAndSet(false, true);
        if (answer != null) {
            turn.execute(() -> {
                if (late) {
                    handler.answeredLate(answer);
                } else {
                    handler.answered(answer);
                }
            });
        } else if (!late) {
            turn.execute(() -> handler.failed(RequestFailures.unwrap(failure)));
        }
    }

    private void timedOut() {
        if (over.compareAndSet(false, true)) {
            turn.execute(() -> {
                Doubtable.giveUp(future);
                handler.failed(RequestFailures.timedOut(timeoutNanos));
            });
        }
    }
}
