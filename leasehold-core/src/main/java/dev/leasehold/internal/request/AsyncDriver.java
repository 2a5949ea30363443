package dev.leasehold.internal.request;

import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.Timer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Drives an operation without a waiting thread. Answers, time-outs and the cancellation come in through one queue and
 * are handled one after another: the first step on the caller's thread, all later ones on the callback executor.
 */
final class AsyncDriver<T> implements Lifecycle.Closeable {

    private final CallSender calls;
    private final RequestContext context;
    private final StepExecutor steps;
    private final Operation<T> operation;
    private final long number;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final Queue<Runnable> inbox = new ConcurrentLinkedQueue<>();
    private final AtomicInteger work = new AtomicInteger();
    private boolean waiting;
    private int exchange;
    /** The exchange that is a pause, which a wake-up may end; -1 if none. */
    private int paused = -1;

    private Timer.@Nullable Timeout pauseEnd;

    AsyncDriver(CallSender calls, RequestContext context, StepExecutor steps, Operation<T> operation) {
        this.calls = calls;
        this.context = context;
        this.steps = steps;
        this.operation = operation;
        this.number = context.lifecycle().nextNumber();
    }

    /** In the order in which they began. */
    @Override
    public long number() {
        return number;
    }

    CompletionStage<T> start() {
        if (operation.endsWithClient()) {
            context.lifecycle().add(this);
        }
        operation.wakeBy(() -> signal(() -> resume(paused)));
        inbox.add(() -> {});
        work.incrementAndGet();
        drain();
        return result;
    }

    /** The client is closed: ends at once, whatever is in flight. */
    @Override
    public void clientClosed() {
        signal(() -> {
            if (!result.isDone()) {
                stop();
                operation.abandon(Lifecycle.closedException());
                finish();
            }
        });
    }

    private void finish() {
        context.lifecycle().remove(this);
        T outcome;
        try {
            outcome = operation.outcome();
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
            return;
        }
        result.complete(outcome);
    }

    /** Gives up; what was granted is given back. */
    void cancel() {
        signal(() -> {
            stop();
            operation.abandon(null);
            context.lifecycle().remove(this);
        });
    }

    private void signal(Runnable event) {
        inbox.add(event);
        if (work.getAndIncrement() == 0) {
            steps.run(this::drain);
        }
    }

    private void drain() {
        int seen = work.get();
        do {
            try {
                step();
            } catch (RuntimeException | Error e) {
                // A bug, or a transport that breaks its contract: the caller is told, and nothing stays held.
                broken(e);
            }
            seen = work.addAndGet(-seen);
        } while (seen != 0);
    }

    private void step() {
        for (Runnable event = inbox.poll(); event != null; event = inbox.poll()) {
            event.run();
        }
        if (!waiting) {
            advance();
        }
    }

    private void broken(Throwable failure) {
        stop();
        operation.abandon(null);
        context.lifecycle().remove(this);
        result.completeExceptionally(failure);
    }

    private void advance() {
        Step step = operation.next();
        waiting = true;
        int current = ++exchange;
        if (step instanceof Step.Over) {
            finish();
        } else if (step instanceof Step.Pause pause) {
            paused = current;
            pauseEnd = context.timer().schedule(() -> signal(() -> resume(current)), pause.until() - context.now());
        } else if (step instanceof Step.Send send) {
            exchange(send, current);
        }
    }

    private void exchange(Step.Send send, int current) {
        CompletableFuture<List<String>> future = calls.send(send);
        Timer.Timeout timeout = context.timer()
                .schedule(
                        () -> signal(() -> timedOut(future, send, current)),
                        send.call().timeoutNanos());
        CompletionStage<List<String>> stage = future;
        stage.whenComplete((reply, failure) -> {
            timeout.cancel();
            signal(() -> handle(current, send.call(), reply, failure));
        });
    }

    private void resume(int of) {
        if (of == exchange) {
            waiting = false;
            endPause();
        }
    }

    /** Nothing that is still under way counts any more. */
    private void stop() {
        exchange++;
        waiting = true;
        endPause();
    }

    /** A pause that a wake-up ended must not stay in the timing wheel. */
    private void endPause() {
        Timer.Timeout end = pauseEnd;
        if (end != null) {
            end.cancel();
            pauseEnd = null;
        }
    }

    private void handle(int of, ScriptCall call, @Nullable List<String> reply, @Nullable Throwable failure) {
        if (of != exchange) {
            if (reply != null) {
                operation.answeredLate(call, reply);
            }
            return;
        }
        waiting = false;
        exchange++;
        if (reply != null) {
            operation.answered(reply);
        } else {
            operation.failed(RequestFailures.unwrap(failure));
        }
    }

    private void timedOut(CompletableFuture<List<String>> future, Step.Send send, int of) {
        if (of != exchange) {
            return;
        }
        waiting = false;
        exchange++;
        operation.failed(RequestFailures.timedOut(send.call().timeoutNanos()));
        if (send.doubt()) {
            future.cancel(false);
        }
    }
}
