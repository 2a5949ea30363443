package dev.leasehold.internal.request;

import dev.leasehold.internal.concurrent.Doubtable;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.spi.TimeSource;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Sends the requests that callers wait for, and waits for the answers on the callers' threads. This is the edge of the engine,
 * where blocking is allowed. Safe for use by any thread.
 */
public final class CallSender {

    private final LockStore store;
    private final ReplicatedSender replicated;
    private final EventLoopGuard guard;
    private final TimeSource time;

    public CallSender(LockStore store, ReplicatedSender replicated, EventLoopGuard guard, TimeSource time) {
        this.store = store;
        this.replicated = replicated;
        this.guard = guard;
        this.time = time;
    }

    /**
     * Sends the request of an operation; if its durability requires it, replicas have to acknowledge it. If sending blocks, an event loop
     * leaves it to another thread.
     */
    public <A> CompletableFuture<A> send(Step.Send<A> send) {
        Executor sender = guard.sender();
        return sender == null
                ? sendHere(send)
                : CompletableFuture.completedFuture(send).thenComposeAsync(this::sendHere, sender);
    }

    /**
     * Sends the requests of several operations, all before any is answered: where a thread that sends is blocked until the answer, in
     * one flush.
     *
     * @return the future of the answer to each request, in the order of the requests
     */
    public List<CompletableFuture<?>> sendAll(List<? extends Step.Send<?>> sends) {
        boolean flushes = sends.size() > 1
                && guard.sendingBlocks()
                // Those for replicas block nobody.
                && sends.stream().noneMatch(send -> send.durability().enabled());
        return flushes
                ? store.sendAll(sends.stream().map(Step.Send::request).toList())
                : sends.stream().<CompletableFuture<?>>map(this::send).toList();
    }

    private <A> CompletableFuture<A> sendHere(Step.Send<A> send) {
        return send.durability().enabled()
                ? replicated.send(send.request(), send.durability())
                : store.send(send.request());
    }

    /** Sends a request and waits for its answer; an interrupt is restored afterwards. */
    public <A> Exchange<A> run(StoreRequest<A> request, long sentAt) {
        return awaitUninterruptibly(store.send(request), sentAt, request.timeoutNanos(), late -> {});
    }

    /** Sends the request of an operation and waits for its answer; an interrupt is restored afterwards. */
    public <A> Exchange<A> run(Step.Send<A> send) {
        return awaitUninterruptibly(send(send), send);
    }

    /** Waits for the answer to a request of an operation; an interrupt is restored afterwards. */
    public <A> Exchange<A> awaitUninterruptibly(CompletableFuture<A> future, Step.Send<A> send) {
        return awaitUninterruptibly(future, send.sentAt(), send.timeoutNanos(), send.answeredLate());
    }

    private <A> Exchange<A> awaitUninterruptibly(
            CompletableFuture<A> future, long sentAt, long timeoutNanos, Consumer<A> late) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return await(future, sentAt, timeoutNanos, late);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Waits for the answer to a request of an operation.
     *
     * @throws InterruptedException if interrupted; an answer that arrives nevertheless is a late one
     */
    public <A> Exchange<A> await(CompletableFuture<A> future, Step.Send<A> send) throws InterruptedException {
        try {
            return await(future, send.sentAt(), send.timeoutNanos(), send.answeredLate());
        } catch (InterruptedException e) {
            giveUp(future, send.answeredLate());
            throw e;
        }
    }

    private <A> Exchange<A> await(CompletableFuture<A> future, long sentAt, long timeoutNanos, Consumer<A> late)
            throws InterruptedException {
        long left = sentAt + timeoutNanos - time.nanoTime();
        try {
            return new Exchange<>(future.get(Math.max(0, left), TimeUnit.NANOSECONDS), null);
        } catch (TimeoutException e) {
            giveUp(future, late);
            return new Exchange<>(null, RequestFailures.timedOut(timeoutNanos));
        } catch (ExecutionException | CancellationException e) {
            return new Exchange<>(null, RequestFailures.unwrap(e));
        }
    }

    private static <A> void giveUp(CompletableFuture<A> answer, Consumer<A> late) {
        CompletionStage<A> stage = answer;
        CompletionStage<?> unused = stage.thenAccept(late);
        Doubtable.giveUp(answer);
    }
}
