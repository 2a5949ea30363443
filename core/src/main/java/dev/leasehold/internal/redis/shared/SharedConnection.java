package dev.leasehold.internal.redis.shared;

import dev.leasehold.internal.redis.path.PendingCommand;
import dev.leasehold.internal.redis.path.Silence;
import dev.leasehold.spi.PushListener;
import dev.leasehold.spi.RedisConnection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** One connection of a {@link SharedPath}, from the attempt to open it to its end. */
final class SharedConnection implements PushListener, PendingCommand.Carrier {

    private final SharedPath path;
    private final CompletableFuture<RedisConnection> opened = new CompletableFuture<>();
    private final Silence silence = new Silence();

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
        long before = silence.arrivals();
        long now = path.nanoTime();
        for (int i = 0; i < commands.size(); i++) {
            commands.get(i).sentOver(this, before, now);
        }
        over.send(commands, timeoutNanos);
    }

    /** A reply or a message has arrived. */
    void arrived() {
        silence.ended();
    }

    @Override
    public void answered(PendingCommand<?> command) {
        arrived();
        path.answered(command.sentAt());
    }

    /**
     * A connection that has been asked and silent for the limit is replaced, but never before: callers that are interrupted,
     * or hardly wait at all, are no evidence, and closing fails the commands of all others.
     */
    @Override
    public void unanswered(PendingCommand<?> command) {
        if (hasBroken()) {
            // The listener hears of it next. A caller that retries immediately must get a new connection.
            closed("it broke");
        } else if (!ended && silence.lastsSince(command.arrivalsBefore())) {
            long since = silence.unanswered(command.arrivalsBefore(), command.sentAt());
            long due = since + path.silenceLimit() - path.nanoTime();
            if (due <= 0) {
                judge(command);
            } else {
                Future<?> unused = path.schedule(() -> judge(command), due);
            }
        }
    }

    private void judge(PendingCommand<?> command) {
        // What was not written says something about this process, not about the connection.
        if (!ended && silence.lastsSince(command.arrivalsBefore()) && command.isWritten()) {
            path.silent(this);
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
