package dev.leasehold.internal.request;

import java.util.concurrent.locks.LockSupport;

/** Drives an operation on the caller's own thread, which waits for each answer. */
final class BlockingDriver<T> {

    private final CallSender calls;
    private final RequestContext context;
    private final Operation<T> operation;

    BlockingDriver(CallSender calls, RequestContext context, Operation<T> operation) {
        this.calls = calls;
        this.context = context;
        this.operation = operation;
    }

    /**
     * Runs the operation to its end.
     *
     * @throws InterruptedException if interrupted before a request or while waiting; nothing stays held
     */
    T run() throws InterruptedException {
        letWakeUpsUnparkThisThread();
        try {
            while (true) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                Step step = operation.next();
                if (step instanceof Step.Over) {
                    return operation.outcome();
                }
                if (step instanceof Step.Pause pause) {
                    pause(pause);
                } else if (step instanceof Step.Send<?> send) {
                    exchange(send);
                }
            }
        } catch (InterruptedException | RuntimeException | Error e) {
            // Nothing stays held after a bug, or after a store has broken its contract, either.
            operation.abandon(null);
            throw e;
        }
    }

    /** Runs the operation to its end; an interrupt is restored afterwards. */
    T runUninterruptibly() {
        letWakeUpsUnparkThisThread();
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                Step step = operation.next();
                if (step instanceof Step.Over) {
                    return operation.outcome();
                }
                if (step instanceof Step.Pause pause) {
                    pause(pause);
                } else if (step instanceof Step.Send<?> send) {
                    exchangeUninterruptibly(send);
                }
                interrupted |= Thread.interrupted();
            }
        } catch (RuntimeException | Error e) {
            operation.abandon(null);
            throw e;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private <A> void exchange(Step.Send<A> send) throws InterruptedException {
        send.report(calls.await(calls.send(send), send), operation);
    }

    private <A> void exchangeUninterruptibly(Step.Send<A> send) {
        send.report(calls.run(send), operation);
    }

    private void letWakeUpsUnparkThisThread() {
        Thread caller = Thread.currentThread();
        operation.wakeBy(() -> LockSupport.unpark(caller));
    }

    private void pause(Step.Pause pause) {
        context.lifecycle()
                .parked()
                .pause(() -> operation.endsWithClient() && context.closed(), pause.until() - context.now());
    }
}
