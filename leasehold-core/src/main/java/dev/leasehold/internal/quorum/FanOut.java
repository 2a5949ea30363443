package dev.leasehold.internal.quorum;

import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Requests that are sent one right after another to several servers, with one time-out for all instead of a timer for each.
 * Whoever made it asks, and then closes it; of each request its hearer is told by itself. Used by one thread.
 */
final class FanOut implements AutoCloseable {

    private final QuorumParts parts;
    private final long timeoutNanos;
    private final List<Node.Question> questions = new ArrayList<>();
    /** One more than are without an outcome, until all were asked. */
    private final AtomicInteger open = new AtomicInteger(1);

    private volatile Timer.@Nullable Timeout timeout;

    FanOut(QuorumParts parts, long timeoutNanos) {
        this.parts = parts;
        this.timeoutNanos = timeoutNanos;
    }

    /** Sends a request of a caller, which has the time-out of all. */
    void ask(Node node, ScriptCall call, Node.Hearer hearer) {
        send(node, call, false, hearer);
    }

    /** Sends a request for which no caller waits: on the connection of renewals. */
    void askInBackground(Node node, ScriptCall call, Node.Hearer hearer) {
        send(node, call, true, hearer);
    }

    private void send(Node node, ScriptCall call, boolean background, Node.Hearer hearer) {
        open.incrementAndGet();
        Node.Question question = node.ask(call, background, hearer, this::over);
        if (question != null) {
            questions.add(question);
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

    /** All were asked. */
    @Override
    public void close() {
        if (open.get() > 1) {
            List<Node.Question> asked = List.copyOf(questions);
            timeout = parts.timer().schedule(() -> asked.forEach(Node.Question::timedOut), timeoutNanos);
        }
        over();
    }
}
