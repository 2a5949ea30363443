package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisCommand;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** A connection of Jedis for exclusive use: sends and waits on its caller's thread. */
final class JedisConnection implements RedisConnection {

    private final Connection connection;
    private final RedisAddress server;
    private final Origin origin;
    private final TimeSource time = TimeSource.system();

    /** True while a thread writes, and for ever after the end: only the thread that sets it may release the connection. */
    private final AtomicBoolean taken = new AtomicBoolean();

    private volatile Consumer<String> onEnd = cause -> {};
    private volatile boolean sound = true;
    private volatile @Nullable String end;

    /** Where connections come from. */
    interface Origin {

        /** Closes the socket, even while a thread writes, if nothing can be sent twice by that. */
        void cut();

        /**
         * Closes a connection that no thread writes to, or gives it back to its pool. Does not block.
         *
         * @param sound whether all commands were answered, so that others may use it
         */
        void release(boolean sound);
    }

    JedisConnection(Connection connection, RedisAddress server, Origin origin, ConnectionPurpose purpose) {
        this.connection = connection;
        this.server = server;
        this.origin = origin;
        try {
            if (purpose.receivesMessages()) {
                connection.setTimeoutInfinite();
            }
        } catch (JedisException e) {
            origin.release(false);
            throw e;
        }
    }

    /** Sets what is called with the reason when it has ended. */
    void onEnd(Consumer<String> action) {
        onEnd = action;
    }

    @Override
    public void send(List<? extends RedisCommand> commands, long timeoutNanos) {
        if (take()) {
            exchange(commands, time.nanoTime() + timeoutNanos);
            giveUpTurn();
        } else {
            commands.forEach(command -> command.failed(Failures.closed(server)));
        }
    }

    private void exchange(List<? extends RedisCommand> commands, long deadline) {
        int replies = 0;
        try {
            for (RedisCommand command : commands) {
                connection.sendCommand(Replies.arguments(command.words()));
            }
            for (RedisCommand command : commands) {
                connection.setSoTimeout(millis(deadline - time.nanoTime()));
                Object reply = reply();
                replies++;
                if (reply instanceof JedisDataException error) {
                    command.failed(Failures.refusal(error));
                } else {
                    command.answered(Replies.nested(reply));
                }
            }
        } catch (RuntimeException e) {
            TransportException failure = broke(e);
            commands.subList(replies, commands.size()).forEach(command -> command.failed(failure));
        }
    }

    private @Nullable Object reply() {
        try {
            return connection.getOne();
        } catch (JedisDataException e) {
            return e;
        }
    }

    @Override
    public void write(List<String> words) {
        if (!take()) {
            throw Failures.closed(server);
        }
        try {
            connection.sendCommand(Replies.arguments(words));
            // Flushes, and reads nothing.
            List<Object> unused = connection.getMany(0);
        } catch (RuntimeException e) {
            throw broke(e);
        } finally {
            giveUpTurn();
        }
    }

    @Override
    public @Nullable Object read() {
        try {
            return Replies.nested(connection.getUnflushedObject());
        } catch (JedisDataException e) {
            throw Failures.refusal(e);
        } catch (RuntimeException e) {
            throw TransportException.noAnswer(server.toString(), true, e);
        }
    }

    /** Converts to a timeout of a socket, of which 0 would be none. */
    static int millis(long nanos) {
        long millis = TimeUnit.NANOSECONDS.toMillis(nanos - 1) + 1;
        return (int) Math.max(1, Math.min(millis, Integer.MAX_VALUE));
    }

    /** Returns whether the caller may write: Jedis would open another socket in place of a closed one, without a handshake. */
    private boolean take() {
        if (!taken.compareAndSet(false, true)) {
            return false;
        }
        if (connection.isConnected()) {
            return true;
        }
        broke("it was closed");
        giveUpTurn();
        return false;
    }

    private void giveUpTurn() {
        taken.set(false);
        if (end != null) {
            release();
        }
    }

    @Override
    public boolean isOpen() {
        return end == null && connection.isConnected();
    }

    @Override
    public RedisAddress server() {
        return server;
    }

    @Override
    public void close() {
        if (taken.get()) {
            abandon();
        } else {
            end = "it was closed";
            release();
        }
    }

    @Override
    public void abandon() {
        broke("it was given up");
        release();
        origin.cut();
    }

    private TransportException broke(RuntimeException cause) {
        TransportException failure = TransportException.noAnswer(server.toString(), true, cause);
        broke(String.valueOf(failure.getMessage()));
        return failure;
    }

    private void broke(String reason) {
        sound = false;
        end = end == null ? reason : end;
    }

    private void release() {
        if (taken.compareAndSet(false, true)) {
            origin.release(sound);
            onEnd.accept(String.valueOf(end));
        }
    }
}
