package dev.leasehold.internal.redis.shared;

import dev.leasehold.internal.redis.path.PendingCommand;
import dev.leasehold.spi.PushListener;
import dev.leasehold.spi.RedisConnection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One connection of a {@link SharedPath}, from the attempt to open it to its end. */
final class SharedConnection implements PushListener, PendingCommand.Carrier {

    /**
     * The silence after which a connection is abandoned: less than the sixth of a second that a renewal of the shortest
     * renewed lease waits, so that its second attempt goes over a new connection.
     */
    static final long SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    private final SharedPath path;
    private final CompletableFuture<RedisConnection> opened = new CompletableFuture<>();
    /** The number of replies and messages that have arrived. */
    private final AtomicLong arrivals = new AtomicLong();

    private volatile @Nullable RedisConnection connection;
    private volatile boolean ended;

    SharedConnection(SharedPath path) {
        this.path = path;
    }

    /** Completed when the connection is open, and exceptionally when this attempt failed. */
    CompletionStage<RedisConnection> opened() {
        return opened;
    }

    /** Returns whether there is no connection, and will be none in this attempt. */
    boolean hasFailed() {
        return opened.isCompletedExceptionally();
    }

    /** There is no connection, and will be none in this attempt. */
    void fail(RuntimeException failure) {
        opened.completeExceptionally(failure);
    }

    /** Returns whether this attempt has succeeded or failed. */
    boolean isDone() {
        return opened.isDone();
    }

    /** The connection if it is open, else null. */
    @Nullable
    RedisConnection ifOpen() {
        RedisConnection open = connection;
        return open != null && !ended && open.isOpen() ? open : null;
    }

    /** Returns whether it was open and is no longer. */
    boolean hasBroken() {
        return opened.isDone() && !hasFailed() && ifOpen() == null;
    }

    /** Takes the connection that was made for this attempt, and shows it to the user of the path before all others. */
    void open(RedisConnection made) {
        connection = made;
        if (!made.isOpen()) {
            closed("it broke");
        }
        if (ended) {
            end();
        } else {
            path.opened(this);
        }
        opened.complete(made);
    }

    /** Sends commands over the connection that is open. */
    void send(RedisConnection over, List<? extends PendingCommand<?>> commands, long timeoutNanos) {
        long before = arrivals.get();
        long now = path.nanoTime();
        for (int i = 0; i < commands.size(); i++) {
            commands.get(i).sentOver(this, before, now);
        }
        over.send(commands, timeoutNanos);
    }

    @Override
    public void arrived() {
        arrivals.incrementAndGet();
    }

    /**
     * A connection on which nothing has arrived since the command was sent is replaced, but never before it has been silent
     * for a while: callers that are interrupted, or hardly wait at all, are no evidence, and closing fails the commands of
     * all others.
     */
    @Override
    public void unanswered(PendingCommand<?> command) {
        if (hasBroken()) {
            // The listener hears of it next. A caller that retries immediately must get a new connection.
            closed("it broke");
        } else if (!ended && isSilentSince(command)) {
            long due = command.sentAt() + SILENCE_NANOS - path.nanoTime();
            if (due <= 0) {
                judge(command);
            } else {
                Future<?> unused = path.schedule(() -> judge(command), due);
            }
        }
    }

    private boolean isSilentSince(PendingCommand<?> command) {
        return arrivals.get() == command.arrivalsBefore();
    }

    private void judge(PendingCommand<?> command) {
        if (isSilentSince(command) && command.isWritten()) {
            path.replace(this, "it did not answer");
        }
    }

    @Override
    public void message(String channel, String message) {
        arrived();
        path.events().message(channel, message);
    }

    @Override
    public void unsubscribed(String channel) {
        path.events().unsubscribed(channel);
    }

    @Override
    public void invalidated(@Nullable List<String> keys) {
        arrived();
        path.events().invalidated(keys);
    }

    @Override
    public void closed(String cause) {
        path.replace(this, cause);
    }

    /** Closes the connection, upon which commands in flight fail. */
    void end() {
        ended = true;
        RedisConnection open = connection;
        if (open != null) {
            open.close();
        }
    }
}
