package dev.leasehold.annotation;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** Calls that return a {@code Mono} or {@code Flux}: each subscription holds the lock. Loaded only with Reactor. */
final class ReactiveCalls {

    /** The key of the frames in Reactor's context, for nested calls. */
    private static final Object KEY = Frames.class;

    private ReactiveCalls() {}

    static Object call(
            LockedCalls calls, ReactorTransactions transactions, LockedMethod method, LockedInvocation invocation) {
        Flux<Object> flux = Flux.deferContextual(context -> new Subscription(
                        calls.attempt(method, invocation, frames(context), () -> transactions.check(method, context)))
                .flux());
        // A Mono emits the value only after the release, so that the loss of the lease can still be reported.
        return method.result() == LockedMethod.Result.MONO ? flux.singleOrEmpty() : flux;
    }

    static List<Frame> frames(ContextView context) {
        List<Frame> frames = context.getOrDefault(KEY, List.<Frame>of());
        return frames == null ? List.of() : frames;
    }

    /** One subscription. */
    private static final class Subscription {

        private final HoldAttempt attempt;
        private volatile @Nullable Throwable loss;

        Subscription(HoldAttempt attempt) {
            this.attempt = attempt;
        }

        Flux<Object> flux() {
            return Flux.usingWhen(
                            acquired(),
                            held -> run(),
                            held -> endWell(),
                            (held, error) -> endAfter(error),
                            held -> Mono.fromRunnable(attempt::endQuietly))
                    .concatWith(Mono.defer(this::reportLoss))
                    .doOnCancel(attempt::cancel);
        }

        private Mono<HoldAttempt> acquired() {
            return mono(attempt::acquire).thenReturn(attempt);
        }

        private Publisher<Object> run() {
            if (!attempt.begin()) {
                return Mono.empty();
            }
            return Flux.defer(this::call)
                    .contextWrite(context -> context.put(KEY, attempt.frames()))
                    .takeUntilOther(Mono.create(sink -> attempt.onInterruptingLoss(sink::success)));
        }

        @SuppressWarnings("unchecked")
        private Publisher<Object> call() {
            try {
                Object result = attempt.call();
                return result == null ? Mono.empty() : (Publisher<Object>) result;
            } catch (Throwable e) {
                return Mono.error(e);
            }
        }

        private Mono<Void> end() {
            return mono(attempt::end);
        }

        /** Reactor cancels what it waits for; that must reach neither the acquisition, which {@link HoldAttempt#cancel} ends, nor a release. */
        private static <T> Mono<T> mono(Supplier<CompletionStage<T>> stage) {
            return Mono.fromFuture(() -> stage.get().toCompletableFuture().copy());
        }

        /** Records the loss, to report it after the end: Reactor would wrap an error of the end itself. */
        private Mono<Void> endWell() {
            return end().onErrorResume(lost -> {
                loss = lost;
                return Mono.empty();
            });
        }

        private Mono<Object> reportLoss() {
            return loss == null ? Mono.empty() : Mono.error(loss);
        }

        /** Adds the loss of the lease to the method's error, which it does not hide. */
        private Mono<Void> endAfter(Throwable error) {
            return end().onErrorResume(lost -> {
                if (lost != error) {
                    error.addSuppressed(lost);
                }
                return Mono.empty();
            });
        }
    }
}
