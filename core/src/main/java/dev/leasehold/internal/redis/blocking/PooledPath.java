package dev.leasehold.internal.redis.blocking;

import dev.leasehold.internal.redis.path.CommandPath;
import dev.leasehold.internal.redis.path.Failures;
import dev.leasehold.internal.redis.path.PendingCommand;
import dev.leasehold.spi.RedisCommand;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands over a blocking connection on the caller's own thread. Commands are completed after the connection was
 * given back: a completion may send again, and must not need a second connection while it holds one.
 */
final class PooledPath implements CommandPath {

    private final ConnectionPool pool;
    private volatile boolean answering;

    PooledPath(ConnectionPool pool) {
        this.pool = pool;
    }

    @Override
    public void send(PendingCommand<?> command, long timeoutNanos) {
        send(List.of(command), timeoutNanos);
    }

    @Override
    public void send(List<? extends PendingCommand<?>> commands, long timeoutNanos) {
        long deadline = pool.deadline(timeoutNanos);
        List<Exchanged> exchanged = new ArrayList<>(commands.size());
        for (PendingCommand<?> command : commands) {
            exchanged.add(new Exchanged(command));
        }
        try {
            exchange(exchanged, deadline);
        } catch (RuntimeException e) {
            answering = answering && !(e instanceof TransportException);
            exchanged.forEach(each -> each.failed(e));
        }
        exchanged.forEach(Exchanged::settle);
    }

    private void exchange(List<Exchanged> commands, long deadline) {
        RedisConnection connection = pool.borrow(deadline);
        boolean lost = false;
        try {
            connection.send(commands, pool.timeToSend(deadline));
            boolean former = false;
            for (Exchanged each : commands) {
                lost |= each.failure instanceof TransportException;
                former |= Failures.isFormerPrimary(each.failure);
            }
            answering = !lost;
            if (former) {
                connection.abandon();
            }
        } finally {
            // Silence says nothing about other connections.
            pool.giveBack(connection, lost && pool.left(deadline) > 0);
        }
    }

    /** Returns whether the last exchange was answered: an idle connection is no evidence. */
    @Override
    public boolean isConnected() {
        return answering;
    }

    /** Opens nothing: a connection is opened for the first caller. */
    @Override
    public CompletionStage<?> open() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void restart(String reason) {
        pool.restart();
    }

    @Override
    public void close(String reason) {
        pool.close(reason);
    }

    /** Keeps the first outcome of a command until its connection was given back. Used by one thread. */
    private static final class Exchanged implements RedisCommand {
        private final PendingCommand<?> command;
        private boolean over;
        private @Nullable Object reply;
        private @Nullable RuntimeException failure;

        Exchanged(PendingCommand<?> command) {
            this.command = command;
        }

        @Override
        public List<String> words() {
            return command.words();
        }

        @Override
        public void answered(@Nullable Object answer) {
            over = true;
            reply = answer;
        }

        @Override
        public void failed(RuntimeException reason) {
            failure = over ? failure : reason;
            over = true;
        }

        void settle() {
            if (failure == null) {
                command.answered(reply);
            } else {
                command.failed(failure);
            }
        }
    }
}
