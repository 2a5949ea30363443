package dev.leasehold.internal.client;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.internal.connect.LateTransport;
import dev.leasehold.internal.key.Names;
import dev.leasehold.internal.request.ErrorReactions;
import dev.leasehold.internal.time.BoundedWait;
import dev.leasehold.internal.time.TimeText;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reaches Redis for a client that may start without it: tries each second, and each ten seconds at a server that refuses the client or that the
 * preflight refuses. If the first try ends within a second, the client starts as it does without the option.
 */
final class LateStart implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.client");

    private static final long FIRST_NANOS = 1_000_000_000;
    private static final long UNREACHABLE_NANOS = 1_000_000_000;
    private static final long REFUSED_NANOS = 10_000_000_000L;

    private final FirstContact contact;
    private final LateTransport transport;
    private final Timer timer;
    private final Executor threads;
    private final Consumer<FirstContact.Found> reached;
    private volatile String said = "";
    private volatile boolean tried;
    private volatile boolean begun;
    private volatile @Nullable RuntimeException refusal;
    private volatile boolean closed;

    /**
     * Creates one that has not begun.
     *
     * @param transport fails calls until Redis is reached
     * @param threads may block
     * @param reached receives what the first contact found
     */
    LateStart(
            FirstContact contact,
            LateTransport transport,
            Timer timer,
            Executor threads,
            Consumer<FirstContact.Found> reached) {
        this.contact = contact;
        this.transport = transport;
        this.timer = timer;
        this.threads = threads;
        this.reached = reached;
    }

    /**
     * Begins to try; returns after the first try, or after a second.
     *
     * @throws RuntimeException the refusal, if the first try met one in this time
     */
    void begin(TimeSource time) {
        threads.execute(this::attempt);
        BoundedWait.forStart(time, FIRST_NANOS).until(() -> tried);
        begun = true;
        RuntimeException refused = refusal;
        if (refused != null) {
            throw refused;
        }
    }

    private void attempt() {
        if (closed) {
            return;
        }
        try {
            reached.accept(contact.make());
            if (!said.isEmpty()) {
                LOG.info("Redis was reached; locks can be acquired from now on");
            }
        } catch (RuntimeException e) {
            failed(e);
        }
        tried = true;
    }

    private void failed(RuntimeException failure) {
        boolean refused = isRefusal(failure);
        String reason = Names.escapeReason(reasonOf(failure));
        String kind = FindingLog.withoutNumbers(reason);
        transport.failed(reason, failure);
        if (refused && !begun) {
            // Whoever begins throws it, unless its time has just passed: then this goes on.
            refusal = failure;
        } else if (!kind.equals(said)) {
            said = kind;
            if (refused) {
                LOG.error(
                        "no lock can be acquired, and Redis is tried again in {}: {}",
                        TimeText.of(Duration.ofNanos(REFUSED_NANOS)),
                        reason);
            } else {
                LOG.warn("the client starts without Redis, which it tries to reach each second: {}", reason);
            }
        }
        if (!closed) {
            Timer.Timeout unused = timer.schedule(this::again, refused ? REFUSED_NANOS : UNREACHABLE_NANOS);
        }
    }

    private void again() {
        try {
            threads.execute(this::attempt);
        } catch (RejectedExecutionException e) {
            LOG.debug("Redis is not tried again: the client was closed", e);
        }
    }

    /** Returns whether a failure does not go away when Redis is there. */
    private static boolean isRefusal(RuntimeException failure) {
        if (!(failure instanceof LockUnavailableException)) {
            return true;
        }
        Throwable cause = failure.getCause();
        return cause == null
                || (cause instanceof RedisErrorException error
                        && ErrorReactions.of(error) != ErrorReactions.Reaction.RETRY);
    }

    private static String reasonOf(RuntimeException failure) {
        Throwable cause = failure.getCause();
        return String.valueOf(cause instanceof TransportException ? cause.getMessage() : failure.getMessage());
    }

    @Override
    public void close() {
        closed = true;
    }
}
