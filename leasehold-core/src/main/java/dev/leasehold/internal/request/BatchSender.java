package dev.leasehold.internal.request;

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
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of renewals and compensations to one node. The timing wheel never calls a transport: it hands requests to this
 * lane, which sends all that wait in one flush. Answers are queued to the lane too, and never handled inside a call, so a
 * transport that answers at once causes no recursion. One entry's trouble never touches another's.
 */
public final class BatchSender {

    private static final Logger LOG = LoggerFactory.getLogger(BatchSender.class);
    /** Below this a missing answer says nothing about the connection, unless it is the second in a row. */
    private static final long DOUBT_NANOS = 500_000_000;

    private final RedisTransport transport;
    private final TimeSource time;
    private final Timer timer;
    private final Executor executor;
    private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> answers = new ConcurrentLinkedQueue<>();
    private final AtomicInteger work = new AtomicInteger();

    /** What can be sent through a lane. All methods are called on the lane. */
    public interface Request {

        /** What to send, decided at the last moment; null if there is nothing to send any more. */
        @Nullable
        ScriptCall prepare(long now);

        /** Redis answered the request that was sent at {@code sentAt}. */
        void answered(long sentAt, List<String> reply);

        /** There was no answer in time, or an error. */
        void failed(Throwable failure);

        /** An answer came after {@link #failed} had been told that there was none in time. */
        default void answeredLate(long sentAt, List<String> reply) {}

        /** Whether an earlier request for the same lease got no answer in time. */
        default boolean secondInARow() {
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

    /** Submits later, by the timer. */
    public void submitAfter(Request request, long delayNanos) {
        timer.schedule(() -> submit(request), delayNanos);
    }

    /** Has an answer handled here that came another way. */
    public void answer(Runnable handling) {
        answers.add(handling);
        wake();
    }

    private void wake() {
        if (work.getAndIncrement() == 0) {
            try {
                executor.execute(this::drain);
            } catch (RejectedExecutionException e) {
                // Only after close: what is left in Redis ends with its lease.
                LOG.debug("the lane is closed", e);
            }
        }
    }

    private void drain() {
        int seen = work.get();
        do {
            // Whatever happens inside, the count goes on: a lane that stopped would cost every lease of the client.
            guarded(this::handleAnswers);
            guarded(this::sendRequests);
            seen = work.addAndGet(-seen);
        } while (seen != 0);
    }

    private void handleAnswers() {
        for (Runnable handling = answers.poll(); handling != null; handling = answers.poll()) {
            guarded(handling);
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

    /** Tells a request that it failed, so that it is tried again like any other. */
    private static void fail(Request request, Throwable failure) {
        guarded(() -> request.failed(RequestFailures.unwrap(failure)));
    }

    private static void guarded(Runnable handling) {
        try {
            handling.run();
        } catch (RuntimeException | Error e) {
            LOG.error("a bug in Leasehold: the handling of one entry threw; the others go on", e);
        }
    }

    /** One request between its sending and the first of answer and time-out. */
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
                    answer(() -> handle(reply, failure));
                } else if (reply != null) {
                    answer(() -> request.answeredLate(sentAt, reply));
                }
            });
        }

        private void handle(@Nullable List<String> reply, @Nullable Throwable failure) {
            if (reply == null) {
                request.failed(RequestFailures.unwrap(failure));
                return;
            }
            try {
                request.answered(sentAt, reply);
            } catch (RuntimeException e) {
                LOG.warn("an answer could not be understood; the request is tried again", e);
                request.failed(RequestFailures.unwrap(e));
            }
        }

        private void timedOut() {
            if (done.compareAndSet(false, true)) {
                answer(() -> {
                    if (timeoutNanos >= DOUBT_NANOS || request.secondInARow()) {
                        // Tells the transport to doubt a connection that has been silent since.
                        stage.toCompletableFuture().cancel(false);
                    }
                    request.failed(RequestFailures.timedOut(timeoutNanos));
                });
            }
        }
    }
}
