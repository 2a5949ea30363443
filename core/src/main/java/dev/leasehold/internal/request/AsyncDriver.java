package dev.leasehold.internal.request;

import dev.leasehold.internal.concurrent.SerialLoop;
import dev.leasehold.spi.Timer;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Drives an operation without a waiting thread. Answers, timeouts and the cancellation are events of one queue, handled
 * one after another: the first step on the caller's thread, all later steps on the callback executor.
 */
final class AsyncDriver<T> implements Lifecycle.Closeable {

    private final CallSender calls;
    private final RequestContext context;
    private final StepExecutor steps;
    private final Operation<T> operation;
    private final long rank;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();
    private final SerialLoop loop = new SerialLoop(this::handleEvents);
    private boolean waiting;
    /** The number of the present request or pause; an event that carries an earlier number is outdated. */
    private int current;
    /** The number of the last pause, which a wake-up may end; -1 if there was none. */
    private int lastPause = -1;

    private Timer.@Nullable Timeout pauseEnd;

    AsyncDriver(CallSender calls, RequestContext context, StepExecutor steps, Operation<T> operation) {
        this.calls = calls;
        this.context = context;
        this.steps = steps;
        this.operation = operation;
        this.rank = context.lifecycle().nextRank();
    }

    /** The position of this operation in the order in which operations began. */
    @Override
    public long rank() {
        return rank;
    }

    CompletionStage<T> start() {
        if (operation.endsWithClient()) {
            context.lifecycle().add(this);
        }
        operation.wakeBy(() -> signal(() -> resume(lastPause)));
        loop.signal(Runnable::run);
        return result;
    }

    /** Ends the operation at once, even with a request in flight, because the client is closed. */
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

    /** Abandons the operation, which releases what was granted. */
    void cancel() {
        signal(() -> {
            stop();
            operation.abandon(null);
            context.lifecycle().remove(this);
        });
    }

    private void signal(Runnable event) {
        events.add(event);
        loop.signal(steps::run);
    }

    private void handleEvents() {
        try {
            step();
        } catch (RuntimeException | Error e) {
            // A bug, or a store that breaks its contract: the caller gets the failure, and nothing stays held.
            failUnexpectedly(e);
        }
    }

    private void step() {
        for (Runnable event = events.poll(); event != null; event = events.poll()) {
            event.run();
        }
        if (!waiting) {
            advance();
        }
    }

    private void failUnexpectedly(Throwable failure) {
        stop();
        operation.abandon(null);
        context.lifecycle().remove(this);
        result.completeExceptionally(failure);
    }

    private void advance() {
        Step step = operation.next();
        waiting = true;
        int number = ++current;
        if (step instanceof Step.Over) {
            finish();
        } else if (step instanceof Step.Pause pause) {
            lastPause = number;
            pauseEnd = context.timer().schedule(() -> signal(() -> resume(number)), pause.until() - context.now());
        } else if (step instanceof Step.Send<?> send) {
            exchange(send, number);
        }
    }

    private <A> void exchange(Step.Send<A> send, int number) {
        PendingRequest.await(
                calls.send(send), send.timeoutNanos(), context.timer(), this::signal, new Outcome<>(send, number));
    }

    private void resume(int number) {
        if (number == current) {
            waiting = false;
            endPause();
        }
    }

    /** Makes all requests and pauses under way outdated, and takes no further step. */
    private void stop() {
        current++;
        waiting = true;
        endPause();
    }

    /** Cancels the timer of a pause: a pause that a wake-up ended must not stay in the timing wheel. */
    private void endPause() {
        Timer.Timeout end = pauseEnd;
        if (end != null) {
            end.cancel();
            pauseEnd = null;
        }
    }

    /** The outcome of a request, which no longer counts if the operation has gone on without it. */
    private final class Outcome<A> implements PendingRequest.Handler<A> {

        private final Step.Send<A> send;
        private final int number;

        Outcome(Step.Send<A> send, int number) {
            this.send = send;
            this.number = number;
        }

        @Override
        public void answered(A answer) {
            if (counts()) {
                goOn();
                send.answered().accept(answer);
            } else {
                answeredLate(answer);
            }
        }

        @Override
        public void failed(RuntimeException failure) {
            if (counts()) {
                goOn();
                operation.failed(failure);
            }
        }

        @Override
        public void answeredLate(A answer) {
            send.answeredLate().accept(answer);
        }

        private boolean counts() {
            return number == current;
        }

        private void goOn() {
            waiting = false;
            current++;
        }
    }
}
