package dev.leasehold.internal.redis.shared;

import dev.leasehold.internal.redis.path.CommandPath;
import dev.leasehold.internal.redis.path.Failures;
import dev.leasehold.internal.redis.path.PendingCommand;
import dev.leasehold.internal.redis.path.ReconnectBackoff;
import dev.leasehold.internal.redis.path.Scheduler;
import dev.leasehold.internal.redis.path.ServerRoute;
import dev.leasehold.internal.redis.path.SilenceLimit;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.TransportException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A path over one connection that all share and that is opened again whenever it breaks. No command outlives its
 * connection: what was in flight fails, and only what was never handed to a connection waits for the next.
 *
 * <p>Free of locks: the current connection is replaced by compare-and-set, and the winning thread opens the next.
 */
final class SharedPath implements CommandPath {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.connections");

    private static final int MARGIN_DIVISOR = 16;

    private final ServerRoute route;
    private final ConnectionPurpose purpose;
    private final long connectTimeoutNanos;
    private final Scheduler scheduler;
    private final Events events;
    private final AtomicReference<SharedConnection> current;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final SilenceLimit limit = new SilenceLimit();
    /** The longest time for which a caller waits for a command; of two changes at once, one may be lost. */
    private volatile long longestNanos;

    private volatile boolean connectedBefore;

    /** Why the last attempt to connect failed, for messages; empty if it succeeded. */
    private volatile String trouble = "";

    /** When the connection was replaced that the log tells of; 0 once another is open, for which the log says so, too. */
    private final AtomicLong replacedAt = new AtomicLong();

    /** Receives what happens on the connections of a path, besides replies. */
    interface Events {

        /** A connection is open; nothing has been sent over it yet. */
        default void opened(SharedConnection connection) {}

        /** A message was published. */
        default void message(String channel, String message) {}

        /** A subscription has ended. */
        default void unsubscribed(String channel) {}

        /** Keys have changed that were read over the connection; null stands for all. */
        default void invalidated(@Nullable List<String> keys) {}

        /** Returns whether a connection that has ended is opened again at once, or else when it is next used. */
        default boolean needsConnection() {
            return true;
        }
    }

    /** Prepares a path, which connects when it is first used. */
    SharedPath(
            ServerRoute route,
            ConnectionPurpose purpose,
            long connectTimeoutNanos,
            Scheduler scheduler,
            Events events) {
        this.route = route;
        this.purpose = purpose;
        this.connectTimeoutNanos = connectTimeoutNanos;
        this.scheduler = scheduler;
        this.events = events;
        this.current = new AtomicReference<>(new SharedConnection(this));
    }

    String address() {
        return route.address();
    }

    Events events() {
        return events;
    }

    private SharedConnection now() {
        return Objects.requireNonNull(current.get());
    }

    boolean isCurrent(SharedConnection connection) {
        return now() == connection;
    }

    @Override
    public CompletionStage<RedisConnection> open() {
        SharedConnection first = now();
        if (!begun.get() && begun.compareAndSet(false, true)) {
            attempt(first, 0);
        }
        return first.opened();
    }

    @Override
    public boolean isConnected() {
        return now().ifOpen() != null;
    }

    /** The connection that is open or being opened; failed already if the path is closed. */
    SharedConnection connection() {
        SharedConnection connection = now();
        if (connection.hasBroken()) {
            // The client knows of it already, and is about to tell us, unless the application has shut it down.
            connection.closed("it broke");
            connection = now();
        }
        return connection;
    }

    @Override
    public void send(PendingCommand<?> command, long timeoutNanos) {
        send(List.of(command), timeoutNanos);
    }

    @Override
    public void send(List<? extends PendingCommand<?>> commands, long timeoutNanos) {
        if (timeoutNanos > longestNanos) {
            longestNanos = timeoutNanos;
        }
        SharedConnection connection = now();
        RedisConnection open = connection.ifOpen();
        if (open != null) {
            connection.send(open, commands, timeoutNanos);
        } else {
            await(commands, timeoutNanos);
        }
    }

    private void await(List<? extends PendingCommand<?>> commands, long timeoutNanos) {
        CompletionStage<RedisConnection> unused = open();
        SharedConnection next = connection();
        AtomicBoolean decided = new AtomicBoolean();
        // Before the caller's own timeout, which can tell neither that nothing was sent nor why.
        Future<?> timer = schedule(
                () -> {
                    if (decided.compareAndSet(false, true)) {
                        fail(commands, unconnected());
                    }
                },
                timeoutNanos - timeoutNanos / MARGIN_DIVISOR);
        CompletionStage<?> unusedToo = next.opened().whenComplete((connection, failure) -> {
            if (decided.compareAndSet(false, true)) {
                timer.cancel(false);
                if (failure == null) {
                    sendRest(next, connection, commands, timeoutNanos);
                } else {
                    fail(commands, failure);
                }
            }
        });
    }

    /** Leaves out those that were given up meanwhile. */
    private static void sendRest(
            SharedConnection to, RedisConnection open, List<? extends PendingCommand<?>> commands, long timeoutNanos) {
        List<? extends PendingCommand<?>> wanted =
                commands.stream().filter(command -> !command.isDone()).toList();
        if (!wanted.isEmpty()) {
            to.send(open, wanted, timeoutNanos);
        }
    }

    private static void fail(List<? extends PendingCommand<?>> commands, Throwable failure) {
        commands.forEach(command -> command.completeExceptionally(failure));
    }

    private String use() {
        return switch (purpose) {
            case COMMANDS -> "commands";
            case TRACKED_COMMANDS -> "tracked keys";
            case SUBSCRIPTIONS -> "subscriptions";
            case SENTINEL -> "commands to Sentinel";
            case SENTINEL_SUBSCRIPTIONS -> "subscriptions to Sentinel";
        };
    }

    private TransportException unconnected() {
        String reason = trouble;
        return reason.isEmpty() ? noConnection("") : new TransportException(reason, false, null);
    }

    private TransportException noConnection(String why) {
        return new TransportException("no connection to Redis at " + address() + why, false, null);
    }

    void opened(SharedConnection connection) {
        trouble = "";
        long since = replacedAt.getAndSet(0);
        if (since != 0) {
            long millis = TimeUnit.NANOSECONDS.toMillis(nanoTime() - since);
            LOG.info("The connection to Redis at {} for {} works again, after {} ms", address(), use(), millis);
        }
        events.opened(connection);
    }

    /** Ends a broken or abandoned connection and opens the next, unless another thread has done so already. */
    void replace(SharedConnection connection, String reason) {
        SharedConnection next = new SharedConnection(this);
        if (current.compareAndSet(connection, next)) {
            if (events.needsConnection()) {
                // Several in a row are one outage.
                if (replacedAt.compareAndSet(0, Math.max(1, nanoTime()))) {
                    LOG.warn("The connection to Redis at {} for {} is replaced: {}", address(), use(), reason);
                }
            }
            attemptLater(next, 0);
        }
        connection.end();
    }

    /** Replaces a connection that does not answer. */
    void silent(SharedConnection connection) {
        if (isCurrent(connection)) {
            limit.silent(longestNanos);
        }
        replace(connection, "it did not answer");
    }

    /** A command was answered that was sent at a time, in ns. */
    void answered(long sentAt) {
        if (limit.isRaised()) {
            limit.answered(nanoTime() - sentAt, longestNanos);
        }
    }

    /** Returns how long a connection may be silent, in ns. */
    long silenceLimit() {
        return limit.nanos();
    }

    /** Gives up the connection that is open, if one is. */
    void abandon(String reason) {
        SharedConnection connection = now();
        if (connection.ifOpen() != null) {
            replace(connection, reason);
        }
    }

    @Override
    public void restart(String reason) {
        SharedConnection connection = now();
        // A failed connection that is still current is the last one: the path was closed.
        if (begun.get() && !connection.hasFailed()) {
            replace(connection, reason);
            connection.fail(noConnection(": " + reason));
        }
    }

    private void attempt(SharedConnection connection, int failures) {
        if (connection.isDone()) {
            // The path was closed.
            return;
        }
        if (connectedBefore) {
            route.troubled();
        }
        connectedBefore = true;
        CompletionStage<RedisConnection> connecting;
        try {
            connecting = route.connect(purpose, connection, connectTimeoutNanos);
        } catch (RuntimeException e) {
            connecting = CompletableFuture.failedFuture(e);
        }
        connecting.whenComplete((made, failure) -> {
            if (failure == null) {
                connection.open(made);
            } else {
                failed(connection, failures, Failures.of(failure, false, address()));
            }
        });
    }

    private void failed(SharedConnection connection, int failures, RuntimeException failure) {
        LOG.debug("No connection to Redis at {}", address(), failure);
        trouble = String.valueOf(failure.getMessage());
        SharedConnection next = new SharedConnection(this);
        if (current.compareAndSet(connection, next)) {
            attemptLater(next, failures + 1);
        }
        connection.fail(failure);
    }

    private void attemptLater(SharedConnection connection, int failures) {
        Future<?> unused = schedule(
                () -> {
                    if (isCurrent(connection) && events.needsConnection()) {
                        attempt(connection, failures);
                    } else if (isCurrent(connection)) {
                        rest();
                    }
                },
                ReconnectBackoff.delayNanos(failures));
    }

    /** Opens nothing until the path is next used, which may be at this moment. */
    private void rest() {
        begun.set(false);
        if (events.needsConnection()) {
            CompletionStage<RedisConnection> unused = open();
        }
    }

    long nanoTime() {
        return scheduler.nanoTime();
    }

    Future<?> schedule(Runnable task, long delayNanos) {
        return scheduler.schedule(task, delayNanos);
    }

    @Override
    public void close(String reason) {
        TransportException failure = noConnection(": " + reason);
        // A connection that was never opened must not be opened any more.
        begun.set(true);
        SharedConnection closed = new SharedConnection(this);
        closed.fail(failure);
        SharedConnection last = Objects.requireNonNull(current.getAndSet(closed));
        last.end();
        last.fail(failure);
    }
}
