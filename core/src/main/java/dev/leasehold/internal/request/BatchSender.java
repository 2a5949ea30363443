package dev.leasehold.internal.request;

import dev.leasehold.internal.concurrent.SerialLoop;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A dedicated sender of renewals and compensating releases to one node. The timing wheel never calls a store: it
 * submits requests here, and the sender sends all submitted requests in one flush. Answers are queued here too and never
 * handled while requests are sent, so a store that answers at once causes no recursion. The failure of one request never affects
 * another.
 */
public final class BatchSender {

    private static final Logger LOG = LoggerFactory.getLogger(BatchSender.class);
    private final LockStore store;
    private final TimeSource time;
    private final Timer timer;
    private final Executor executor;
    private final Queue<Request<?>> requests = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> answers = new ConcurrentLinkedQueue<>();
    private final SerialLoop loop = new SerialLoop(this::handleAnswersAndSend);

    /** A request that a batch sender can send. The sender calls all methods, one after another. */
    public interface Request<A> {

        /** Returns the request to send, decided at the last moment; null if there is nothing left to send. */
        @Nullable
        StoreRequest<A> prepare(long now);

        /** Handles the answer to the request that was sent at {@code sentAt}. */
        void answered(long sentAt, A answer);

        /** Handles an error, or the absence of an answer in time. */
        void failed(Throwable failure);

        /** Handles an answer that arrived after {@link #failed} was called because of the timeout. */
        default void answeredLate(long sentAt, A answer) {}
    }

    public BatchSender(LockStore store, TimeSource time, Timer timer, Executor executor) {
        this.store = store;
        this.time = time;
        this.timer = timer;
        this.executor = executor;
    }

    public void submit(Request<?> request) {
        requests.add(request);
        wake();
    }

    /** Submits a request after a delay. */
    public void submitAfter(Request<?> request, long delayNanos) {
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
        List<InFlight<?>> batch = new ArrayList<>();
        List<StoreRequest<?>> prepared = new ArrayList<>();
        long now = time.nanoTime();
        for (Request<?> request = requests.poll(); request != null; request = requests.poll()) {
            prepare(request, now, batch, prepared);
        }
        if (batch.isEmpty()) {
            return;
        }
        long sentAt = time.nanoTime();
        List<CompletableFuture<?>> answers;
        try {
            answers = store.sendAll(prepared);
        } catch (RuntimeException | Error e) {
            batch.forEach(sent -> fail(sent.request, e));
            return;
        }
        for (int i = 0; i < batch.size(); i++) {
            InFlight<?> sent = batch.get(i);
            try {
                sent.await(sentAt, answers.get(i));
            } catch (RuntimeException | Error e) {
                fail(sent.request, e);
            }
        }
    }

    private <A> void prepare(Request<A> request, long now, List<InFlight<?>> batch, List<StoreRequest<?>> prepared) {
        try {
            StoreRequest<A> sent = request.prepare(now);
            if (sent != null) {
                batch.add(new InFlight<>(request, sent));
                prepared.add(sent);
            }
        } catch (RuntimeException | Error e) {
            fail(request, e);
        }
    }

    /** Reports a failure to a request, which then schedules another try as after any failure. */
    private static void fail(Request<?> request, Throwable failure) {
        guarded(() -> request.failed(RequestFailures.unwrap(failure)));
    }

    private static void guarded(Runnable handling) {
        try {
            handling.run();
        } catch (RuntimeException | Error e) {
            LOG.error("a bug in Leasehold: the handling of one request threw; other requests are not affected", e);
        }
    }

    /** A request of a batch, and the handler of its outcome. */
    private final class InFlight<A> implements PendingRequest.Handler<A> {

        private final Request<A> request;
        private final StoreRequest<A> sent;
        private long sentAt;

        InFlight(Request<A> request, StoreRequest<A> sent) {
            this.request = request;
            this.sent = sent;
        }

        void await(long sendingAt, CompletableFuture<?> answer) {
            sentAt = sendingAt;
            PendingRequest.await(sent.typed(answer), sent.timeoutNanos(), timer, BatchSender.this::handle, this);
        }

        @Override
        public void answered(A answer) {
            try {
                request.answered(sentAt, answer);
            } catch (RuntimeException e) {
                LOG.warn("a bug in Leasehold: the handling of an answer threw; the request is tried again", e);
                request.failed(RequestFailures.unwrap(e));
            }
        }

        @Override
        public void failed(RuntimeException failure) {
            request.failed(failure);
        }

        @Override
        public void answeredLate(A answer) {
            request.answeredLate(sentAt, answer);
        }
    }
}
