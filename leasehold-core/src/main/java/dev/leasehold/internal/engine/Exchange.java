package dev.leasehold.internal.engine;

import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TransportException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One request of a caller and its answer, waited for on the caller's own thread: the edge of the engine, where blocking
 * is allowed. Either a reply or a failure.
 */
record Exchange(@Nullable List<String> reply, @Nullable RuntimeException failure) {

    /** Waits for the answer; an interrupt is kept for later. */
    static Exchange run(Engine engine, ScriptCall call, long sentAt, boolean doubt) {
        return awaitUninterruptibly(engine, send(engine, call), sentAt, call.timeoutNanos(), doubt);
    }

    /** The same for what was sent already. */
    static Exchange awaitUninterruptibly(
            Engine engine, CompletableFuture<List<String>> future, long sentAt, long timeoutNanos, boolean doubt) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return await(engine, future, sentAt, timeoutNanos, doubt);
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

    /** The same for what an operation sends. */
    static Exchange run(Engine engine, Step.Send send) {
        return awaitUninterruptibly(
                engine, send(engine, send), send.sentAt(), send.call().timeoutNanos(), send.doubt());
    }

    /** Sends what an operation wants sent. */
    static CompletableFuture<List<String>> send(Engine engine, Step.Send send) {
        return send.durability().enabled()
                ? engine.durable.send(send.call(), send.durability(), false)
                : send(engine, send.call());
    }

    /** Sends; a transport that throws has failed like one that answers with a failure. */
    static CompletableFuture<List<String>> send(Engine engine, ScriptCall call) {
        try {
            return engine.transport.eval(call).toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Waits until the time-out of the request.
     *
     * @param doubt whether silence until then puts the connection in doubt
     */
    static Exchange await(
            Engine engine, CompletableFuture<List<String>> future, long sentAt, long timeoutNanos, boolean doubt)
            throws InterruptedException {
        long left = sentAt + timeoutNanos - engine.time.nanoTime();
        try {
            return new Exchange(future.get(Math.max(0, left), TimeUnit.NANOSECONDS), null);
        } catch (TimeoutException e) {
            if (doubt) {
                future.cancel(false);
            }
            return new Exchange(null, RequestFailures.timedOut(timeoutNanos));
        } catch (ExecutionException | java.util.concurrent.CancellationException e) {
            return new Exchange(null, RequestFailures.unwrap(e));
        }
    }

    boolean maybeExecuted() {
        return failure != null && RequestFailures.maybeExecuted(failure);
    }

    /** The failure of an exchange that has no reply. */
    RuntimeException problem() {
        return failure != null ? failure : new TransportException("no reply", true, null);
    }
}
