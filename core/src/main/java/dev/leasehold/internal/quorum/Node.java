package dev.leasehold.internal.quorum;

import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.request.ServerClock;
import dev.leasehold.internal.script.QuorumScripts;
import dev.leasehold.internal.script.ServerTime;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.TransportException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One server of a quorum, isolated from the others: its failures do not affect them. A transport that blocks its caller
 * runs on separate threads; an asynchronous transport is called directly. Safe for use by any thread.
 */
public final class Node {

    /** A silence shorter than this is no reason to suspect the connection. */
    private static final long SUSPECT_NANOS = 500_000_000;

    private static final long NEVER_NANOS = Long.MAX_VALUE;

    private final int index;
    private final String address;
    private final QuorumParts parts;
    private volatile @Nullable Link link;
    private volatile long latencyNanos;

    /** The connection to the server, once it was reached. */
    record Link(RedisTransport transport, ServerDescription description, ServerClock clock, boolean blocking) {}

    /**
     * Receives the outcome of a request, on any thread: one call of either {@code answered} or {@code failed}; after a
     * failure, possibly one of {@code answeredLate}.
     */
    interface ReplyHandler {
        void answered(List<String> reply);

        void failed(RuntimeException failure);

        default void answeredLate(List<String> reply) {}
    }

    /** Creates a node without a connection; the address contains no secrets. */
    public Node(int index, String address, QuorumParts parts) {
        this.index = index;
        this.address = address;
        this.parts = parts;
    }

    /** Returns the node's index among the servers. */
    public int index() {
        return index;
    }

    @Nullable
    Link link() {
        return link;
    }

    /** Returns whether the server was ever reached. */
    public boolean connected() {
        return link != null;
    }

    /** Returns the transport; empty if the server was never reached. */
    public Optional<RedisTransport> transport() {
        return Optional.ofNullable(link).map(Link::transport);
    }

    /**
     * Sets the connection once the server is reached; requests are sent over it from now on.
     *
     * @param sentAt the local time of the request for the server's time
     * @param blocking whether the transport blocks its caller until the server answers
     */
    public void connect(
            RedisTransport transport, ServerDescription description, ServerTime now, long sentAt, boolean blocking) {
        link = new Link(transport, description, new ServerClock(now, sentAt), blocking);
    }

    /**
     * Returns the latest time that this server's clock can show at a local moment; the earliest possible time if the
     * server was never reached.
     */
    ServerTime at(long nanos) {
        Link current = link;
        return current == null ? ServerTime.NONE : current.clock.at(nanos);
    }

    /** Returns whether the server's last request was answered within the given time. */
    boolean answersWithin(long nanos) {
        return latencyNanos <= nanos;
    }

    /** Records that a wait for this server was useless: callers do not wait for it again until it answers. */
    void markSlow() {
        latencyNanos = NEVER_NANOS;
    }

    /** Sends a request of a caller. */
    void send(ScriptCall call, ReplyHandler handler) {
        try (FanOut alone = new FanOut(parts, call.timeoutNanos())) {
            alone.send(this, call, handler);
        }
    }

    /** Sends a request for which no caller waits, on the connection of renewals. */
    void sendInBackground(ScriptCall call, ReplyHandler handler) {
        try (FanOut alone = new FanOut(parts, call.timeoutNanos())) {
            alone.sendInBackground(this, call, handler);
        }
    }

    /**
     * Sends a request; the caller is responsible for its timeout.
     *
     * @param onDone run once, when the request is answered or its timeout has passed
     * @return the request, or null if it failed before it was sent
     */
    @Nullable
    Request send(ScriptCall call, boolean background, ReplyHandler handler, Runnable onDone) {
        Link current = link;
        if (current == null) {
            onDone.run();
            handler.failed(new TransportException(address + " cannot be reached", false, null));
            return null;
        }
        Request request = new Request(current, call, background, handler, onDone);
        if (current.blocking) {
            parts.run(request::send);
        } else {
            request.send();
        }
        return request;
    }

    /** One request between its sending and the first of answer and timeout. */
    final class Request {
        private final Link to;
        private final ScriptCall call;
        private final boolean background;
        private final ReplyHandler handler;
        private final Runnable onDone;
        private final AtomicBoolean done = new AtomicBoolean();
        private volatile @Nullable CompletionStage<List<String>> stage;

        private Request(Link to, ScriptCall call, boolean background, ReplyHandler handler, Runnable onDone) {
            this.to = to;
            this.call = call;
            this.background = background;
            this.handler = handler;
            this.onDone = onDone;
        }

        private void send() {
            if (done.get()) {
                // The timeout passed while the request waited for a thread.
                return;
            }
            long sentAt = parts.time().nanoTime();
            try {
                CompletionStage<List<String>> sent =
                        background ? to.transport.evalBatch(List.of(call)).get(0) : to.transport.eval(call);
                stage = sent;
                sent.whenComplete((reply, failure) -> completed(sentAt, reply, failure));
            } catch (RuntimeException e) {
                completed(sentAt, null, e);
            }
        }

        private void completed(long sentAt, @Nullable List<String> reply, @Nullable Throwable failure) {
            if (reply != null) {
                to.clock.seen(QuorumScripts.now(reply), sentAt);
                latencyNanos = parts.time().nanoTime() - sentAt;
            } else {
                latencyNanos = NEVER_NANOS;
            }
            if (done.compareAndSet(false, true)) {
                onDone.run();
                if (reply != null) {
                    handler.answered(reply);
                } else {
                    handler.failed(RequestFailures.unwrap(failure));
                }
            } else if (reply != null) {
                handler.answeredLate(reply);
            }
        }

        /** Runs on the timer's thread, which never calls a transport. */
        void timedOut() {
            if (done.compareAndSet(false, true)) {
                latencyNanos = NEVER_NANOS;
                onDone.run();
                parts.run(() -> {
                    CompletionStage<List<String>> open = stage;
                    if (open != null && call.timeoutNanos() >= SUSPECT_NANOS) {
                        open.toCompletableFuture().cancel(false);
                    }
                    handler.failed(RequestFailures.timedOut(call.timeoutNanos()));
                });
            }
        }
    }

    @Override
    public String toString() {
        return address;
    }
}
