package dev.leasehold.lettuce;

import dev.leasehold.internal.adapter.ReconnectBackoff;
import dev.leasehold.spi.TransportException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that is opened again whenever it breaks. Reconnecting is ours, not Lettuce's, because Lettuce's carries
 * the commands of the broken connection over to the next one. Here no command outlives its connection: what was in
 * flight fails, and only what was never handed to a connection waits for the next.
 *
 * <p>Free of locks: the current session is replaced by compare-and-set, and the winning thread opens the next.
 */
final class LettuceLink<C extends StatefulRedisConnection<String, String>> {

    /**
     * The silence after which a connection is abandoned: less than the sixth of a second that a renewal of the shortest
     * renewed lease waits, so that its second attempt goes over a new connection.
     */
    static final long SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    private static final Logger LOG = LoggerFactory.getLogger(LettuceLink.class);

    private final String address;
    private final Supplier<? extends CompletionStage<C>> connector;
    private final BiConsumer<LettuceSession<C>, C> onOpen;
    private final Delays delays;
    private final AtomicReference<LettuceSession<C>> current;
    private final AtomicBoolean begun = new AtomicBoolean();

    /**
     * Prepares a link, which connects when {@link #open()} is called.
     *
     * @param address where to, for messages
     * @param connector opens a connection
     * @param executors where delays and judgements run
     * @param onOpen called with each new session before anybody else gets it
     */
    LettuceLink(
            String address,
            Supplier<? extends CompletionStage<C>> connector,
            EventExecutorGroup executors,
            BiConsumer<LettuceSession<C>, C> onOpen) {
        this.address = address;
        this.connector = connector;
        this.onOpen = onOpen;
        this.delays = new Delays(executors);
        this.current = new AtomicReference<>(new LettuceSession<>(this));
    }

    String address() {
        return address;
    }

    private LettuceSession<C> now() {
        return Objects.requireNonNull(current.get());
    }

    boolean isCurrent(LettuceSession<C> session) {
        return now() == session;
    }

    /** Begins to connect, if that has not begun. */
    CompletionStage<C> open() {
        LettuceSession<C> first = now();
        if (begun.compareAndSet(false, true)) {
            attempt(first, 0);
        }
        return first.opened();
    }

    /** Begins to connect, if that has not begun and the link is not closed. */
    void ensureBegun() {
        if (!begun.get()) {
            CompletionStage<C> unused = open();
        }
    }

    boolean isConnected() {
        return now().connection() != null;
    }

    /** The session that is open or being opened; failed already if the link is closed. */
    LettuceSession<C> session() {
        if (delays.isOver()) {
            // A lent client was ended: it neither tells us, nor runs what we schedule.
            CompletionStage<Void> unused = close("its client was shut down");
        }
        LettuceSession<C> session = now();
        if (session.hasBroken()) {
            // Lettuce knows of it already, and is about to tell us.
            session.broke();
            session = now();
        }
        return session;
    }

    /** Sends a command, or lets it wait for the connection that is being opened. */
    void send(SentCommand<?> command, long timeoutNanos) {
        LettuceSession<C> session = now();
        C connection = session.connection();
        if (connection != null) {
            session.dispatch(connection, command);
        } else {
            await(List.of(command), timeoutNanos);
        }
    }

    /** The same for several commands, in one flush. */
    void send(List<? extends SentCommand<?>> commands, long timeoutNanos) {
        LettuceSession<C> session = now();
        C connection = session.connection();
        if (connection != null) {
            session.dispatch(connection, commands);
        } else {
            await(commands, timeoutNanos);
        }
    }

    private void await(List<? extends SentCommand<?>> commands, long timeoutNanos) {
        LettuceSession<C> next = session();
        AtomicBoolean decided = new AtomicBoolean();
        Future<?> timer = schedule(
                () -> {
                    if (decided.compareAndSet(false, true)) {
                        fail(commands, new TransportException("no connection to Redis at " + address, false, null));
                    }
                },
                timeoutNanos);
        next.opened().whenComplete((connection, failure) -> {
            if (decided.compareAndSet(false, true)) {
                timer.cancel(false);
                if (failure == null) {
                    next.dispatch(connection, commands);
                } else {
                    fail(commands, failure);
                }
            }
        });
    }

    private static void fail(List<? extends SentCommand<?>> commands, Throwable failure) {
        commands.forEach(command -> command.completeExceptionally(failure));
    }

    /** Ends a broken or abandoned session and opens the next, unless another thread has done so already. */
    void replace(LettuceSession<C> session, String reason) {
        LettuceSession<C> next = new LettuceSession<>(this);
        if (current.compareAndSet(session, next)) {
            LOG.warn("The connection to Redis at {} is replaced: {}", address, reason);
            attemptLater(next, 0);
        }
        CompletionStage<Void> unused = session.end();
    }

    /** Gives up the connection that is open, if one is. */
    void abandon(String reason) {
        LettuceSession<C> session = now();
        if (session.connection() != null) {
            replace(session, reason);
        }
    }

    /** Gives up the connection that is open or being opened, and opens another at once. */
    void restart(String reason) {
        LettuceSession<C> session = now();
        // A failed session that is still current is the last one: the link was closed.
        if (begun.get() && !session.opened().toCompletableFuture().isCompletedExceptionally()) {
            replace(session, reason);
            session.fail(new TransportException("no connection to Redis at " + address + ": " + reason, false, null));
        }
    }

    private void attempt(LettuceSession<C> session, int failures) {
        CompletionStage<C> connecting;
        try {
            connecting = connector.get();
        } catch (RuntimeException e) {
            connecting = CompletableFuture.failedFuture(e);
        }
        connecting.whenComplete((connection, failure) -> {
            if (failure != null) {
                failed(session, failures, Failures.of(failure, false, address));
                return;
            }
            session.open(connection, onOpen);
        });
    }

    private void failed(LettuceSession<C> session, int failures, RuntimeException failure) {
        LOG.debug("No connection to Redis at {}", address, failure);
        LettuceSession<C> next = new LettuceSession<>(this);
        if (current.compareAndSet(session, next)) {
            attemptLater(next, failures + 1);
        }
        session.fail(failure);
    }

    private void attemptLater(LettuceSession<C> session, int failures) {
        Future<?> unused = schedule(
                () -> {
                    // Not after close, nor on a client that is being shut down: Netty would log an error.
                    if (isCurrent(session) && !delays.isOver()) {
                        attempt(session, failures);
                    }
                },
                ReconnectBackoff.delayNanos(failures));
    }

    long nanoTime() {
        return delays.nanoTime();
    }

    Future<?> schedule(Runnable task, long delayNanos) {
        return delays.schedule(task, delayNanos);
    }

    /** Closes the connection and opens no other; what is in flight and what comes later fails. */
    CompletionStage<Void> close(String reason) {
        TransportException failure =
                new TransportException("no connection to Redis at " + address + ": " + reason, false, null);
        // A session that was never opened must not be opened any more.
        begun.set(true);
        LettuceSession<C> closed = new LettuceSession<>(this);
        closed.fail(failure);
        LettuceSession<C> last = Objects.requireNonNull(current.getAndSet(closed));
        CompletionStage<Void> ending = last.end();
        last.fail(failure);
        return ending;
    }
}
