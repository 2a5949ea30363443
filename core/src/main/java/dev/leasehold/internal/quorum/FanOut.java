package dev.leasehold.internal.quorum;

import dev.leasehold.spi.ScriptCall;
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
    private final List<Node.Request> requests = new ArrayList<>();
    /** The number of requests without an outcome; plus one until all are sent. */
    private final AtomicInteger open = new AtomicInteger(1);

    private volatile Timer.@Nullable Timeout timeout;

    FanOut(QuorumParts parts, long timeoutNanos) {
        this.parts = parts;
        this.timeoutNanos = timeoutNanos;
    }

    /** Sends a request of a caller, with the common timeout. */
    void send(Node node, ScriptCall call, Node.ReplyHandler handler) {
        dispatch(node, call, false, handler);
    }

    /** Sends a request for which no caller waits, on the connection of renewals. */
    void sendInBackground(Node node, ScriptCall call, Node.ReplyHandler handler) {
        dispatch(node, call, true, handler);
    }

    private void dispatch(Node node, ScriptCall call, boolean background, Node.ReplyHandler handler) {
        open.incrementAndGet();
        Node.Request request = node.send(call, background, handler, this::over);
        if (request != null) {
            requests.add(request);
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
            List<Node.Request> sent = List.copyOf(requests);
            timeout = parts.timer().schedule(() -> sent.forEach(Node.Request::timedOut), timeoutNanos);
        }
        over();
    }
}
