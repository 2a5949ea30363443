package dev.leasehold.internal.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Drives several operations in parallel on the caller's thread: it sends the requests of all operations before it waits for
 * the first answer. Meant for operations that end within the command timeout.
 */
final class ParallelDriver<T> {

    private final CallSender calls;
    private final RequestContext context;
    private final List<Run> runs = new ArrayList<>();

    ParallelDriver(CallSender calls, RequestContext context, List<? extends Operation<T>> operations) {
        this.calls = calls;
        this.context = context;
        operations.forEach(operation -> runs.add(new Run(operation)));
    }

    /**
     * Runs all operations to their ends; an interrupt is restored afterwards. The failure of one operation is thrown after the
     * others have ended, too.
     */
    List<T> run() {
        Thread caller = Thread.currentThread();
        runs.forEach(run -> run.operation.wakeBy(() -> LockSupport.unpark(caller)));
        boolean interrupted = Thread.interrupted();
        try {
            List<Run> active = List.copyOf(runs);
            while (!active.isEmpty()) {
                active.forEach(Run::step);
                exchange(active.stream().filter(run -> run.send != null).toList());
                active = active.stream().filter(Run::active).toList();
                interrupted |= Thread.interrupted();
                pause(active);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        runs.forEach(Run::rethrow);
        return runs.stream().map(run -> run.operation.outcome()).toList();
    }

    private void exchange(List<Run> sending) {
        if (sending.isEmpty()) {
            return;
        }
        List<CompletableFuture<?>> answers;
        try {
            answers = calls.sendAll(sending.stream()
                    .map(run -> Objects.requireNonNull(run.send))
                    .toList());
        } catch (RuntimeException | Error e) {
            sending.forEach(run -> run.breaks(e));
            return;
        }
        for (int i = 0; i < answers.size(); i++) {
            sending.get(i).await(answers.get(i));
        }
    }

    /** Waits until the earliest pause ends. */
    private void pause(List<Run> active) {
        long now = context.now();
        long least = Long.MAX_VALUE;
        for (Run run : active) {
            Step.Pause pause = run.pause;
            least = Math.min(least, pause == null ? 0 : pause.until() - now);
        }
        if (!active.isEmpty() && least > 0) {
            context.lifecycle().parked().pause(() -> false, least);
        }
    }

    /** The progress of one operation. */
    private final class Run {
        private final Operation<T> operation;
        private boolean over;
        private Step.@Nullable Send<?> send;
        private Step.@Nullable Pause pause;
        private @Nullable Throwable broken;

        Run(Operation<T> operation) {
            this.operation = operation;
        }

        boolean active() {
            return !over;
        }

        void step() {
            guarded(() -> {
                Step step = operation.next();
                pause = step instanceof Step.Pause nextPause ? nextPause : null;
                over = step instanceof Step.Over;
                send = step instanceof Step.Send<?> nextSend ? nextSend : null;
            });
        }

        void await(CompletableFuture<?> answer) {
            guarded(() -> await(Objects.requireNonNull(send), answer));
        }

        private <A> void await(Step.Send<A> sent, CompletableFuture<?> answer) {
            sent.report(calls.awaitUninterruptibly(sent.request().typed(answer), sent), operation);
        }

        /** Runs an action; a bug, or a store that breaks its contract, ends this operation only. */
        private void guarded(Runnable action) {
            try {
                action.run();
            } catch (RuntimeException | Error e) {
                breaks(e);
            }
        }

        private void breaks(Throwable bug) {
            broken = bug;
            over = true;
            send = null;
            operation.abandon(null);
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
