package dev.leasehold.internal.request;

import dev.leasehold.internal.concurrent.SerialLoop;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A dedicated sender of renewals and compensating releases to one node. The timing wheel never calls a transport: it
 * submits requests here, and the sender sends all submitted requests in one flush. Answers are queued here too and never
 * handled inside a call, so a transport that answers at once causes no recursion. The failure of one request never affects
 * another.
 */
public final class BatchSender {

    private static final Logger LOG = LoggerFactory.getLogger(BatchSender.class);
    /** The least timeout after which one missing answer puts the connection in doubt; below it takes two in a row. */
    private static final long DOUBT_NANOS = 500_000_000;

    private final RedisTransport transport;
    private final TimeSource time;
    private final Timer timer;
    private final Executor executor;
    private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> answers = new ConcurrentLinkedQueue<>();
    private final SerialLoop loop = new SerialLoop(this::handleAnswersAndSend);

    /** A request that a batch sender can send. The sender calls all methods, one after another. */
    public interface Request {

        /** Returns the call to send, decided at the last moment; null if there is nothing left to send. */
        @Nullable
        ScriptCall prepare(long now);

        /** Handles the answer to the request that was sent at {@code sentAt}. */
        void answered(long sentAt, List<String> reply);

        /** Handles an error, or the absence of an answer in time. */
        void failed(Throwable failure);

        /** Handles an answer that arrived after {@link #failed} was called because of the timeout. */
        default void answeredLate(long sentAt, List<String> reply) {}

        /** Returns whether the previous request for the same lease got no answer in time either. */
        default boolean previousUnanswered() {
            return false;
        }
    }

    public BatchSender(RedisTransport transport, TimeSource time, Timer timer, Executor executor) {
        this.transport = transport;
        this.time = time;
        this.timer = timer;
        this.executor = executor;
    }

    public void submit(Request request) {
        requests.add(request);
        wake();
    }

    /** Submits a request after a delay. */
    public void submitAfter(Request request, long delayNanos) {
        timer.schedule(() -> submit(request), delayNanos);
    }

    /** Handles the answer to a request that was sent by other means, in turn with the answers to requests of this sender. */
    public void handle(Runnable answer) {
        answers.add(answer);
        wake();
    }

    private void wake() {
        try {
            loop.signal(executor);
        } catch (RejectedExecutionException e) {
            // Only after close: what is left in Redis ends with its lease.
            LOG.debug("nothing is sent or handled: the executor of the batch sender is closed", e);
        }
    }

    private void handleAnswersAndSend() {
        handleAnswers();
        sendRequests();
    }

    private void handleAnswers() {
        for (Runnable answer = answers.poll(); answer != null; answer = answers.poll()) {
            guarded(answer);
        }
    }

    private void sendRequests() {
        List<Request> batch = new ArrayList<>();
        List<ScriptCall> calls = new ArrayList<>();
        long now = time.nanoTime();
        for (Request request = requests.poll(); request != null; request = requests.poll()) {
            prepare(request, now, batch, calls);
        }
        if (calls.isEmpty()) {
            return;
        }
        long sentAt = time.nanoTime();
        List<CompletionStage<List<String>>> stages;
        try {
            stages = transport.evalBatch(calls);
        } catch (RuntimeException | Error e) {
            batch.forEach(request -> fail(request, e));
            return;
        }
        for (int i = 0; i < batch.size(); i++) {
            Request request = batch.get(i);
            try {
                new InFlight(request, stages.get(i), sentAt, calls.get(i).timeoutNanos()).watch();
            } catch (RuntimeException | Error e) {
                fail(request, e);
            }
        }
    }

    private static void prepare(Request request, long now, List<Request> batch, List<ScriptCall> calls) {
        try {
            ScriptCall call = request.prepare(now);
            if (call != null) {
                batch.add(request);
                calls.add(call);
            }
        } catch (RuntimeException | Error e) {
            fail(request, e);
        }
    }

    /** Reports a failure to a request, which then schedules another try as after any failure. */
    private static void fail(Request request, Throwable failure) {
        guarded(() -> request.failed(RequestFailures.unwrap(failure)));
    }

    private static void guarded(Runnable handling) {
        try {
            handling.run();
        } catch (RuntimeException | Error e) {
            LOG.error("a bug in Leasehold: the handling of one request threw; other requests are not affected", e);
        }
    }

    /** A request that was sent, until its answer or its timeout, whichever is first. */
    private final class InFlight {
        private final Request request;
        private final CompletionStage<List<String>> stage;
        private final long sentAt;
        private final long timeoutNanos;
        private final AtomicBoolean done = new AtomicBoolean();

        InFlight(Request request, CompletionStage<List<String>> stage, long sentAt, long timeoutNanos) {
            this.request = request;
            this.stage = stage;
            this.sentAt = sentAt;
            this.timeoutNanos = timeoutNanos;
        }

        void watch() {
            Timer.Timeout timeout = timer.schedule(this::timedOut, timeoutNanos);
            stage.whenComplete((reply, failure) -> {
                if (done.compareAndSet(false, true)) {
                    timeout.cancel();
                    handle(() -> settle(reply, failure));
                } else if (reply != null) {
                    handle(() -> request.answeredLate(sentAt, reply));
                }
            });
        }

        private void settle(@Nullable List<String> reply, @Nullable Throwable failure) {
            if (reply == null) {
                request.failed(RequestFailures.unwrap(failure));
                return;
            }
            try {
                request.answered(sentAt, reply);
            } catch (RuntimeException e) {
                LOG.warn("an answer from Redis could not be parsed; the request is tried again", e);
                request.failed(RequestFailures.unwrap(e));
            }
        }

        private void timedOut() {
            if (done.compareAndSet(false, true)) {
                handle(() -> {
                    if (timeoutNanos >= DOUBT_NANOS || request.previousUnanswered()) {
                        // The cancellation makes the transport doubt a connection that has been silent since.
                        stage.toCompletableFuture().cancel(false);
                    }
                    request.failed(RequestFailures.timedOut(timeoutNanos));
                });
            }
        }
    }
}
