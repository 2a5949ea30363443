package dev.leasehold.springdata;

import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.TransportException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.KeyValue;

/** A connection of Jedis, used only by its current owner, because Jedis does not guard its buffers. */
final class JedisWire implements Wire {

    private final Jedis jedis;
    private final Connection connection;
    private final String address;
    private final AtomicBoolean closed = new AtomicBoolean();

    JedisWire(Jedis jedis, String address) {
        this.jedis = jedis;
        this.connection = jedis.getConnection();
        this.address = address;
    }

    @Override
    public boolean isOpen() {
        return !closed.get() && !connection.isBroken();
    }

    @Override
    public List<Answer> exchange(List<Request> requests, long nanos) {
        List<Answer> answers = new ArrayList<>(requests.size());
        TransportException failure = prepare(nanos);
        try {
            if (failure == null) {
                requests.forEach(request -> connection.sendCommand(arguments(request)));
                while (answers.size() < requests.size()) {
                    answers.add(read());
                }
            }
        } catch (RuntimeException e) {
            failure = Failures.unanswered(e, address);
        }
        if (failure != null) {
            close();
            while (answers.size() < requests.size()) {
                answers.add(Answer.failed(failure));
            }
        }
        return answers;
    }

    private @Nullable TransportException prepare(long nanos) {
        if (!isOpen()) {
            return Failures.closed(address);
        }
        try {
            connection.setSoTimeout(millis(nanos));
            return null;
        } catch (JedisException e) {
            return new TransportException("no connection to Redis at " + address + ": " + e.getMessage(), false, e);
        }
    }

    /** As a timeout of a socket, of which 0 would be none. */
    static int millis(long nanos) {
        long millis = TimeUnit.NANOSECONDS.toMillis(nanos - 1) + 1;
        return (int) Math.max(1, Math.min(millis, Integer.MAX_VALUE));
    }

    private static CommandArguments arguments(Request request) {
        CommandArguments arguments = new CommandArguments(new Name(request.name()));
        request.head().forEach(arguments::add);
        request.keys().forEach(arguments::key);
        request.tail().forEach(arguments::add);
        return arguments;
    }

    private Answer read() {
        try {
            return Answer.of(nested(connection.getOne()));
        } catch (JedisDataException e) {
            return Answer.failed(Failures.refusal(e));
        }
    }

    /** A map as the list of its keys and values. */
    static @Nullable Object nested(@Nullable Object reply) {
        if (!(reply instanceof Collection<?> list)) {
            return element(reply);
        }
        List<@Nullable Object> elements = new ArrayList<>(list.size());
        for (Object each : list) {
            if (each instanceof KeyValue<?, ?> entry) {
                elements.add(nested(entry.getKey()));
                elements.add(nested(entry.getValue()));
            } else {
                elements.add(nested(each));
            }
        }
        return elements;
    }

    private static @Nullable Object element(@Nullable Object reply) {
        if (reply instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        if (reply instanceof Boolean truth) {
            return truth ? 1L : 0L;
        }
        if (reply instanceof JedisDataException error) {
            return String.valueOf(error.getMessage());
        }
        return reply == null || reply instanceof Long ? reply : reply.toString();
    }

    @Override
    public Wire to(RedisNode node, long nanos) {
        throw new IllegalArgumentException(node + " is not a server of this transport; see describe()");
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            end(jedis);
        }
    }

    /** As broken, so that a pool which follows a primary does not keep it. */
    static void end(Jedis jedis) {
        try {
            jedis.getConnection().setBroken();
            jedis.getConnection().disconnect();
        } catch (JedisException e) {
            // It was broken before, then, and is closed now.
        }
        try {
            jedis.close();
        } catch (JedisException e) {
            // Likewise.
        }
    }

    private record Name(String text) implements ProtocolCommand {

        @Override
        public byte[] getRaw() {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }
}
