package dev.leasehold.internal.request;

import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TimeSource;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends the calls that callers wait for, and waits for the answers on the callers' threads. This is the edge of the engine,
 * where blocking is allowed. Safe for use by any thread.
 */
public final class CallSender {

    private final RedisTransport transport;
    private final ReplicatedSender replicated;
    private final TimeSource time;

    public CallSender(RedisTransport transport, ReplicatedSender replicated, TimeSource time) {
        this.transport = transport;
        this.replicated = replicated;
        this.time = time;
    }

    /** Sends the request of an operation; if its durability requires it, replicas have to acknowledge it. */
    public CompletableFuture<List<String>> send(Step.Send send) {
        return send.durability().enabled() ? replicated.send(send.call(), send.durability(), false) : send(send.call());
    }

    /** Sends a call; an exception of the transport becomes a failed future. */
    public CompletableFuture<List<String>> send(ScriptCall call) {
        try {
            return transport.eval(call).toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Sends a call and waits for its answer; an interrupt is restored afterwards. */
    public Exchange run(ScriptCall call, long sentAt, boolean doubt) {
        return awaitUninterruptibly(send(call), sentAt, call.timeoutNanos(), doubt);
    }

    /** Sends the request of an operation and waits for its answer; an interrupt is restored afterwards. */
    public Exchange run(Step.Send send) {
        return awaitUninterruptibly(send(send), send);
    }

    /** Waits for the answer to a request of an operation; an interrupt is restored afterwards. */
    public Exchange awaitUninterruptibly(CompletableFuture<List<String>> future, Step.Send send) {
        return awaitUninterruptibly(future, send.sentAt(), send.call().timeoutNanos(), send.doubt());
    }

    private Exchange awaitUninterruptibly(
            CompletableFuture<List<String>> future, long sentAt, long timeoutNanos, boolean doubt) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return await(future, sentAt, timeoutNanos, doubt);
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

    /** Waits for the answer to a request of an operation. */
    public Exchange await(CompletableFuture<List<String>> future, Step.Send send) throws InterruptedException {
        return await(future, send.sentAt(), send.call().timeoutNanos(), send.doubt());
    }

    private Exchange await(CompletableFuture<List<String>> future, long sentAt, long timeoutNanos, boolean doubt)
            throws InterruptedException {
        long left = sentAt + timeoutNanos - time.nanoTime();
        try {
            return new Exchange(future.get(Math.max(0, left), TimeUnit.NANOSECONDS), null);
        } catch (TimeoutException e) {
            if (doubt) {
                future.cancel(false);
            }
            return new Exchange(null, RequestFailures.timedOut(timeoutNanos));
        } catch (ExecutionException | CancellationException e) {
            return new Exchange(null, RequestFailures.unwrap(e));
        }
    }
}
