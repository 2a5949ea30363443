package dev.leasehold.internal.quorum;

import dev.leasehold.internal.concurrent.Doubtable;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.script.QuorumRequest;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.StoreAnswer;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.TransportException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One server of a quorum, isolated from the others: its failures do not affect them. A transport that blocks its caller
 * runs on separate threads; an asynchronous transport is called directly. Safe for use by any thread.
 */
public final class Node implements AutoCloseable {

    private static final long NEVER_NANOS = Long.MAX_VALUE;

    private final int index;
    private final String address;
    private final QuorumParts parts;
    private volatile @Nullable Link link;
    private volatile long latencyNanos;

    /** The connection to the server, once it was reached. */
    private record Link(RedisTransport transport, LockStore store, boolean blocking) {}

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
     * @param store sends requests over the transport, and is closed with the node
     * @param blocking whether the transport blocks its caller until the server answers
     */
    public void connect(RedisTransport transport, LockStore store, boolean blocking) {
        link = new Link(transport, store, blocking);
    }

    /** Asks whether the server counts, with the request that a holder sends, too. */
    public CompletableFuture<QuorumRequest.Joined> join(long timeoutNanos) {
        Link current = link;
        return current == null
                ? CompletableFuture.failedFuture(unreachable())
                : current.store.send(new QuorumRequest.Join(parts.marker(), parts.longest(), timeoutNanos));
    }

    private TransportException unreachable() {
        return new TransportException(address + " cannot be reached", false, null);
    }

    /**
     * Returns the latest time that this server's clock can show at a local moment; the earliest possible time if the
     * server was never reached.
     */
    ServerTime at(LockKey key, long nanos) {
        Link current = link;
        return current == null ? ServerTime.NONE : current.store.serverTimeAt(key.key(), nanos);
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
    <A extends StoreAnswer> void send(StoreRequest<A> request, AnswerHandler<A> handler) {
        try (FanOut alone = new FanOut(parts, request.timeoutNanos())) {
            alone.send(this, request, handler);
        }
    }

    /** Sends a request for which no caller waits, on the connection of renewals. */
    <A extends StoreAnswer> void sendInBackground(StoreRequest<A> request, AnswerHandler<A> handler) {
        try (FanOut alone = new FanOut(parts, request.timeoutNanos())) {
            alone.sendInBackground(this, request, handler);
        }
    }

    /**
     * Sends a request; the caller is responsible for its timeout.
     *
     * @param onDone run once, when the request is answered or its timeout has passed
     * @return the request, or null if it failed before it was sent
     */
    <A extends StoreAnswer> @Nullable Sent<A> send(
            StoreRequest<A> request, boolean background, AnswerHandler<A> handler, Runnable onDone) {
        Link current = link;
        if (current == null) {
            onDone.run();
            handler.failed(unreachable());
            return null;
        }
        Sent<A> sent = new Sent<>(current, request, background, handler, onDone);
        if (current.blocking) {
            parts.run(sent::send);
        } else {
            sent.send();
        }
        return sent;
    }

    /** One request between its sending and the first of answer and timeout. */
    final class Sent<A extends StoreAnswer> {
        private final Link to;
        private final StoreRequest<A> request;
        private final boolean background;
        private final AnswerHandler<A> handler;
        private final Runnable onDone;
        private final AtomicBoolean done = new AtomicBoolean();
        private volatile @Nullable CompletableFuture<A> future;

        private Sent(Link to, StoreRequest<A> request, boolean background, AnswerHandler<A> handler, Runnable onDone) {
            this.to = to;
            this.request = request;
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
            CompletableFuture<A> sent = background
                    ? request.typed(to.store.sendAll(List.of(request)).get(0))
                    : to.store.send(request);
            future = sent;
            CompletionStage<?> unused = sent.whenComplete((answer, failure) -> completed(sentAt, answer, failure));
        }

        private void completed(long sentAt, @Nullable A answer, @Nullable Throwable failure) {
            if (answer != null) {
                latencyNanos = parts.time().nanoTime() - sentAt;
            } else {
                latencyNanos = NEVER_NANOS;
            }
            if (done.compareAndSet(false, true)) {
                onDone.run();
                if (answer != null) {
                    handler.answered(answer);
                } else {
                    handler.failed(RequestFailures.unwrap(failure));
                }
            } else if (answer != null) {
                handler.answeredLate(answer);
            }
        }

        /** Runs on the timer's thread, which never calls a transport. */
        void timedOut() {
            if (done.compareAndSet(false, true)) {
                latencyNanos = NEVER_NANOS;
                onDone.run();
                parts.run(() -> {
                    CompletableFuture<A> open = future;
                    if (open != null) {
                        Doubtable.giveUp(open);
                    }
                    handler.failed(RequestFailures.timedOut(request.timeoutNanos()));
                });
            }
        }
    }

    @Override
    public void close() {
        Link current = link;
        if (current != null) {
            current.store.close();
        }
    }

    @Override
    public String toString() {
        return address;
    }
}
