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
 * One server of a quorum: whatever it does costs the others nothing. A transport that answers on the caller's thread gets
 * threads of its own; one that answers later is called at once. Safe for use by any thread.
 */
public final class Node {

    /** Silence for less than this says nothing about the connection. */
    private static final long DOUBT_NANOS = 500_000_000;

    private static final long NEVER_NANOS = Long.MAX_VALUE;

    private final int index;
    private final String address;
    private final QuorumParts parts;
    private volatile @Nullable Link link;
    private volatile long tookNanos;

    /** What is there once the server was reached. */
    record Link(RedisTransport transport, ServerDescription description, ServerClock clock, boolean blocking) {}

    /** Hears what comes of a request: one of the first two, once, on any thread; the third perhaps after a failure. */
    interface Hearer {
        void answered(List<String> reply);

        void failed(RuntimeException failure);

        default void answeredLate(List<String> reply) {}
    }

    /** Not connected yet; the address has no secrets. */
    public Node(int index, String address, QuorumParts parts) {
        this.index = index;
        this.address = address;
        this.parts = parts;
    }

    /** Its place among the servers. */
    public int index() {
        return index;
    }

    @Nullable
    Link link() {
        return link;
    }

    /** Whether it was ever reached. */
    public boolean connected() {
        return link != null;
    }

    /** What it is asked through; empty if it was never reached. */
    public Optional<RedisTransport> transport() {
        return Optional.ofNullable(link).map(Link::transport);
    }

    /**
     * It was reached, and may be asked from now on.
     *
     * @param sentAt the local moment before it told its time
     * @param blocking whether the transport answers within the call
     */
    public void connect(
            RedisTransport transport, ServerDescription description, ServerTime now, long sentAt, boolean blocking) {
        link = new Link(transport, description, new ServerClock(now, sentAt), blocking);
    }

    /** The latest time that this server's clock can show at a local moment; before all others if it was never reached. */
    ServerTime at(long nanos) {
        Link there = link;
        return there == null ? ServerTime.NONE : there.clock.at(nanos);
    }

    /** Whether its last answer was there so soon, and there was none since that it did not give. */
    boolean answersWithin(long nanos) {
        return tookNanos <= nanos;
    }

    /** It was waited for in vain: it is not again, until it answers. */
    void isSlow() {
        tookNanos = NEVER_NANOS;
    }

    /** Sends a request of a caller. */
    void ask(ScriptCall call, Hearer hearer) {
        try (FanOut alone = new FanOut(parts, call.timeoutNanos())) {
            alone.ask(this, call, hearer);
        }
    }

    /** Sends a request for which no caller waits: on the connection of renewals. */
    void askInBackground(ScriptCall call, Hearer hearer) {
        try (FanOut alone = new FanOut(parts, call.timeoutNanos())) {
            alone.askInBackground(this, call, hearer);
        }
    }

    /**
     * Sends a request, whose time-out is the asker's to tell.
     *
     * @param over is run once, when it has an answer or none is waited for any more
     * @return null if it was over before it was sent
     */
    @Nullable
    Question ask(ScriptCall call, boolean background, Hearer hearer, Runnable over) {
        Link there = link;
        if (there == null) {
            over.run();
            hearer.failed(new TransportException(address + " cannot be reached", false, null));
            return null;
        }
        Question question = new Question(there, call, background, hearer, over);
        if (there.blocking) {
            parts.run(question::send);
        } else {
            question.send();
        }
        return question;
    }

    /** One request between its sending and the first of answer and time-out. */
    final class Question {
        private final Link to;
        private final ScriptCall call;
        private final boolean background;
        private final Hearer hearer;
        private final Runnable over;
        private final AtomicBoolean done = new AtomicBoolean();
        private volatile @Nullable CompletionStage<List<String>> stage;

        private Question(Link to, ScriptCall call, boolean background, Hearer hearer, Runnable over) {
            this.to = to;
            this.call = call;
            this.background = background;
            this.hearer = hearer;
            this.over = over;
        }

        private void send() {
            if (done.get()) {
                // It had to wait for a thread, and its time is over: nothing is sent any more.
                return;
            }
            long sentAt = parts.time().nanoTime();
            try {
                CompletionStage<List<String>> sent =
                        background ? to.transport.evalBatch(List.of(call)).get(0) : to.transport.eval(call);
                stage = sent;
                sent.whenComplete((reply, failure) -> heard(sentAt, reply, failure));
            } catch (RuntimeException e) {
                heard(sentAt, null, e);
            }
        }

        private void heard(long sentAt, @Nullable List<String> reply, @Nullable Throwable failure) {
            if (reply != null) {
                to.clock.seen(QuorumScripts.now(reply), sentAt);
                tookNanos = parts.time().nanoTime() - sentAt;
            } else {
                tookNanos = NEVER_NANOS;
            }
            if (done.compareAndSet(false, true)) {
                over.run();
                if (reply != null) {
                    hearer.answered(reply);
                } else {
                    hearer.failed(RequestFailures.unwrap(failure));
                }
            } else if (reply != null) {
                hearer.answeredLate(reply);
            }
        }

        /** On the timer's thread, which never calls a transport. */
        void timedOut() {
            if (done.compareAndSet(false, true)) {
                tookNanos = NEVER_NANOS;
                over.run();
                parts.run(() -> {
                    CompletionStage<List<String>> open = stage;
                    if (open != null && call.timeoutNanos() >= DOUBT_NANOS) {
                        open.toCompletableFuture().cancel(false);
                    }
                    hearer.failed(RequestFailures.timedOut(call.timeoutNanos()));
                });
            }
        }
    }

    @Override
    public String toString() {
        return address;
    }
}
