package dev.leasehold.internal.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Drives several operations side by side: what each of them sends leaves before the answer to any is waited for. Meant for
 * what ends within the command time-out.
 */
final class ParallelDriver {

    private ParallelDriver() {}

    /** Without a waiting thread: the stage has what becomes of the outcomes, or the first failure when all have ended. */
    static <T, R> CompletionStage<R> start(
            Engine engine, List<? extends Operation<T>> operations, Function<List<T>, R> result) {
        List<CompletableFuture<T>> all = new ArrayList<>();
        for (Operation<T> operation : operations) {
            all.add(new AsyncDriver<>(engine, operation).start().toCompletableFuture());
        }
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

    /**
     * Runs all to their ends on the caller's own thread; an interrupt is kept for later. What one of them throws is thrown
     * when the others have ended too.
     */
    static <T> List<T> run(Engine engine, List<? extends Operation<T>> operations) {
        Thread me = Thread.currentThread();
        List<Run<T>> runs = new ArrayList<>();
        for (Operation<T> operation : operations) {
            operation.wakeBy(() -> LockSupport.unpark(me));
            runs.add(new Run<>(engine, operation));
        }
        boolean interrupted = Thread.interrupted();
        try {
            List<Run<T>> active = List.copyOf(runs);
            while (!active.isEmpty()) {
                active.forEach(Run::step);
                active.forEach(Run::await);
                active = active.stream().filter(Run::goesOn).toList();
                interrupted |= Thread.interrupted();
                pause(engine, active);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        for (Run<T> run : runs) {
            run.rethrow();
        }
        return runs.stream().map(run -> run.operation.outcome()).toList();
    }

    /** Waits if none of them has anything to do before. */
    private static void pause(Engine engine, List<? extends Run<?>> active) {
        long now = engine.time.nanoTime();
        long least = Long.MAX_VALUE;
        for (Run<?> run : active) {
            Step.Pause pause = run.pause;
            least = Math.min(least, pause == null ? 0 : pause.until() - now);
        }
        if (!active.isEmpty() && least > 0) {
            engine.seats().pause(() -> false, least);
        }
    }

    /** One of the operations. */
    private static final class Run<T> {
        private final Engine engine;
        private final Operation<T> operation;
        private boolean over;
        private Step.@Nullable Send send;
        private @Nullable CompletableFuture<List<String>> answer;
        private Step.@Nullable Pause pause;
        private @Nullable Throwable broken;

        Run(Engine engine, Operation<T> operation) {
            this.engine = engine;
            this.operation = operation;
        }

        boolean goesOn() {
            return !over;
        }

        void step() {
            guarded(() -> {
                Step step = operation.next();
                pause = step instanceof Step.Pause waits ? waits : null;
                send = step instanceof Step.Send sends ? sends : null;
                over = step instanceof Step.Over;
                if (send != null) {
                    answer = Exchange.send(engine, send);
                }
            });
        }

        void await() {
            Step.Send sent = send;
            CompletableFuture<List<String>> future = answer;
            if (over || sent == null || future == null) {
                return;
            }
            guarded(() -> {
                Exchange exchange = Exchange.awaitUninterruptibly(
                        engine, future, sent.sentAt(), sent.call().timeoutNanos(), sent.doubt());
                List<String> reply = exchange.reply();
                if (reply != null) {
                    operation.answered(reply);
                } else {
                    operation.failed(exchange.problem());
                }
            });
        }

        /** A bug, or a transport that breaks its contract: the others go on. */
        private void guarded(Runnable action) {
            try {
                action.run();
            } catch (RuntimeException | Error e) {
                broken = e;
                over = true;
                operation.abandon(null);
            }
        }

        void rethrow() {
            if (broken instanceof RuntimeException exception) {
                throw exception;
            }
            if (broken instanceof Error error) {
                throw error;
            }
        }
    }
}
