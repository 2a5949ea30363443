package dev.leasehold.jedis;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisException;

/** The exchanges of callers' threads with one server, each over a connection for its exclusive use. */
final class CallerExchanges {

    private final Connections connections;
    private final TimeSource time;

    CallerExchanges(Connections connections, TimeSource time) {
        this.connections = connections;
        this.time = time;
    }

    /** The answer as a stage that is complete. */
    static <T extends @Nullable Object> CompletionStage<T> stage(Supplier<T> exchange) {
        try {
            return CompletableFuture.completedFuture(exchange.get());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Exchanges what it takes within the time. */
    <T extends @Nullable Object> T run(long timeoutNanos, Function<CommandExchange, T> exchange) {
        long until = time.nanoTime() + timeoutNanos;
        Connection connection = connections.borrow(timeoutNanos);
        int timeoutBefore = connection.getSoTimeout();
        boolean sound = false;
        boolean othersToo = false;
        try {
            T answer = exchange.apply(new CommandExchange(connection, connections.address(), time, until));
            sound = true;
            return answer;
        } catch (RedisErrorException | IllegalArgumentException e) {
            sound = true;
            throw e;
        } catch (TransportException e) {
            othersToo = !Failures.isTimeout(e);
            throw e;
        } finally {
            if (!sound) {
                connection.setBroken();
            }
            giveBack(connection, timeoutBefore, othersToo);
        }
    }

    /** The same for a question that changes nothing: it has not been executed, whatever became of it. */
    <T extends @Nullable Object> T ask(long timeoutNanos, Function<CommandExchange, T> question) {
        try {
            return run(timeoutNanos, question);
        } catch (TransportException e) {
            throw e.maybeExecuted() ? new TransportException(String.valueOf(e.getMessage()), false, e.getCause()) : e;
        }
    }

    private void giveBack(Connection connection, int timeoutBefore, boolean othersToo) {
        try {
            if (!connection.isBroken()) {
                connection.setSoTimeout(timeoutBefore);
            }
        } catch (JedisException e) {
            connection.setBroken();
        }
        connections.giveBack(connection, othersToo);
    }
}
