package dev.leasehold.internal.quorum;

import dev.leasehold.internal.store.StoreAnswer;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.spi.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Requests sent to several servers in sequence, with one timeout for all instead of a timer for each. The creator sends
 * the requests and then closes the object; each request has its own handler. Used by one thread.
 */
final class FanOut implements AutoCloseable {

    private final QuorumParts parts;
    private final long timeoutNanos;
    private final List<Node.Sent<?>> requests = new ArrayList<>();
    /** The number of requests without an outcome; plus one until all are sent. */
    private final AtomicInteger open = new AtomicInteger(1);

    private volatile Timer.@Nullable Timeout timeout;

    FanOut(QuorumParts parts, long timeoutNanos) {
        this.parts = parts;
        this.timeoutNanos = timeoutNanos;
    }

    /** Sends a request of a caller, with the common timeout. */
    <A extends StoreAnswer> void send(Node node, StoreRequest<A> request, AnswerHandler<A> handler) {
        dispatch(node, request, false, handler);
    }

    /** Sends a request for which no caller waits, on the connection of renewals. */
    <A extends StoreAnswer> void sendInBackground(Node node, StoreRequest<A> request, AnswerHandler<A> handler) {
        dispatch(node, request, true, handler);
    }

    private <A extends StoreAnswer> void dispatch(
            Node node, StoreRequest<A> request, boolean background, AnswerHandler<A> handler) {
        open.incrementAndGet();
        Node.Sent<A> sent = node.send(request, background, handler, this::over);
        if (sent != null) {
            requests.add(sent);
        }
    }

    private void over() {
        if (open.decrementAndGet() == 0) {
            Timer.Timeout pending = timeout;
            if (pending != null) {
                pending.cancel();
            }
        }
    }

    /** Ends the sending and starts the timeout. */
    @Override
    public void close() {
        if (open.get() > 1) {
            List<Node.Sent<?>> sent = List.copyOf(requests);
            timeout = parts.timer().schedule(() -> sent.forEach(Node.Sent::timedOut), timeoutNanos);
        }
        over();
    }
}
