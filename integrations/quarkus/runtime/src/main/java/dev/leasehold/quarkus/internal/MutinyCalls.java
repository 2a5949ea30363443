package dev.leasehold.quarkus.internal;

import dev.leasehold.annotation.Frame;
import dev.leasehold.annotation.HoldAttempt;
import dev.leasehold.annotation.LockedCalls;
import dev.leasehold.annotation.LockedInvocation;
import dev.leasehold.annotation.LockedMethod;
import io.quarkus.runtime.BlockingOperationControl;
import io.smallrye.mutiny.Context;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.operators.multi.MultiSelectFirstUntilOtherOp;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Calls that return a {@code Uni} or {@code Multi}: each subscription holds the lock. */
final class MutinyCalls {

    private MutinyCalls() {}

    /** Returns a result that emits its item only after the release, so that the loss of the lease can still be reported. */
    static Uni<Object> uni(LockedCalls calls, LockedMethod method, LockedInvocation invocation) {
        return multi(calls, method, invocation).collect().last();
    }

    static Multi<Object> multi(LockedCalls calls, LockedMethod method, LockedInvocation invocation) {
        return Multi.createFrom()
                .context(context -> new Subscription(calls.attempt(method, invocation, frames(context))).multi());
    }

    private static List<Frame> frames(Context context) {
        return context.getOrElse(HeldMulti.FRAMES, List::<Frame>of);
    }

    /** Where the method runs: not on the threads of Leasehold's connections, which must not block. */
    private static Executor threadsOfSubscriber() {
        io.vertx.core.Context eventLoop = BlockingOperationControl.isBlockingAllowed() ? null : Vertx.currentContext();
        return eventLoop == null
                ? Infrastructure.getDefaultExecutor()
                : task -> eventLoop.runOnContext(nothing -> task.run());
    }

    /** One subscription. */
    private static final class Subscription {

        private final HoldAttempt attempt;
        private final Executor threads = threadsOfSubscriber();

        Subscription(HoldAttempt attempt) {
            this.attempt = attempt;
        }

        Multi<Object> multi() {
            return Uni.createFrom()
                    .completionStage(attempt::acquire)
                    .emitOn(threads)
                    .onItem()
                    .transformToMulti(acquired -> run())
                    .onCancellation()
                    .invoke(attempt::cancel);
        }

        private Multi<Object> run() {
            if (!attempt.begin()) {
                return Multi.createFrom().nothing();
            }
            Multi<Object> loss = Multi.createFrom().emitter(emitter -> attempt.onInterruptingLoss(emitter::complete));
            Multi<Object> untilLost =
                    new MultiSelectFirstUntilOtherOp<>(Multi.createFrom().deferred(this::call), loss);
            return new HeldMulti(untilLost, attempt).onTermination().call(this::end);
        }

        @SuppressWarnings("unchecked")
        private Multi<Object> call() {
            try {
                Object result = attempt.call();
                if (result instanceof Uni<?> uni) {
                    return ((Uni<Object>) uni).toMulti();
                }
                if (result instanceof CompletionStage<?> stage) {
                    return Uni.createFrom()
                            .completionStage((CompletionStage<Object>) stage)
                            .toMulti();
                }
                return result == null ? Multi.createFrom().empty() : (Multi<Object>) result;
            } catch (Throwable e) {
                return Multi.createFrom().failure(e);
            }
        }

        /** Releases the lock. The loss of the lease does not hide an error of the method. */
        private Uni<?> end(@Nullable Throwable error, boolean cancelled) {
            if (cancelled) {
                // HeldMulti ends the attempt after it has cancelled the method.
                return Uni.createFrom().voidItem();
            }
            Uni<@Nullable Void> end =
                    Uni.createFrom().completionStage(attempt::end).emitOn(threads);
            return error == null
                    ? end
                    : end.onFailure()
                            .invoke(lost -> suppress(error, lost))
                            .onFailure()
                            .recoverWithNull();
        }

        private static void suppress(Throwable error, Throwable lost) {
            if (lost != error) {
                error.addSuppressed(lost);
            }
        }
    }
}
