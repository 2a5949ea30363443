package dev.leasehold.jedis;

import dev.leasehold.spi.Dialogue;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** One connection used by one caller, which waits no longer than its deadline. */
final class CommandExchange {

    private final Connection connection;
    private final String address;
    private final TimeSource time;
    private final long until;

    CommandExchange(Connection connection, String address, TimeSource time, long until) {
        this.connection = connection;
        this.address = address;
        this.time = time;
        this.until = until;
    }

    /**
     * Calls a script by its digest, and whole if the server does not know it: then it has not run.
     *
     * @param asking whether another server sent the call here for this once (ASK)
     */
    List<String> eval(ScriptCall call, boolean asking) {
        Object reply;
        try {
            reply = askBehind(asking, Commands.evalsha(call));
        } catch (RedisErrorException e) {
            if (!e.code().equals("NOSCRIPT")) {
                throw e;
            }
            reply = askBehind(asking, Commands.evalWhole(call));
        }
        return Replies.strings(reply);
    }

    /** ASKING holds for the next command only. */
    private @Nullable Object askBehind(boolean asking, CommandArguments arguments) {
        if (asking) {
            ask(Commands.ASKING);
        }
        return ask(arguments);
    }

    @Nullable
    Object ask(CommandArguments arguments) {
        beReady();
        try {
            return connection.executeCommand(arguments);
        } catch (JedisDataException e) {
            RedisErrorException refusal = Failures.refusal(e);
            if (Failures.isOfFormerPrimary(refusal)) {
                connection.setBroken();
            }
            throw refusal;
        } catch (RuntimeException e) {
            connection.setBroken();
            throw Failures.unanswered(e, address);
        }
    }

    /**
     * Runs a dialogue to its end. If it fails, the owner of the connection closes it.
     *
     * @return the first error that was among the replies, which may say that the key is elsewhere
     */
    @Nullable
    RedisErrorException converse(Dialogue dialogue) {
        RedisErrorException first = null;
        List<List<String>> flush = dialogue.next(List.of());
        while (!flush.isEmpty()) {
            List<@Nullable Object> replies = exchange(flush);
            for (Object reply : replies) {
                if (first == null && reply instanceof RedisErrorException error) {
                    first = error;
                }
            }
            flush = dialogue.next(replies);
        }
        return first;
    }

    private List<@Nullable Object> exchange(List<List<String>> flush) {
        beReady();
        List<@Nullable Object> replies = new ArrayList<>();
        try {
            flush.forEach(command -> connection.sendCommand(Commands.of(command)));
            for (int i = 0; i < flush.size(); i++) {
                replies.add(reply());
            }
        } catch (RuntimeException e) {
            connection.setBroken();
            throw Failures.unanswered(e, address);
        }
        return replies;
    }

    private @Nullable Object reply() {
        try {
            return Replies.nested(connection.getOne());
        } catch (JedisDataException e) {
            RedisErrorException refusal = Failures.refusal(e);
            if (Failures.isOfFormerPrimary(refusal)) {
                connection.setBroken();
            }
            return refusal;
        }
    }

    private void beReady() {
        long left = until - time.nanoTime();
        if (left <= 0) {
            throw new TransportException("no time was left to send a command to Redis at " + address, false, null);
        }
        try {
            connection.setSoTimeout(millis(left));
        } catch (JedisException e) {
            connection.setBroken();
            throw Failures.unsent(e, address);
        }
    }

    /** As a timeout of a socket, of which 0 would be none. */
    static int millis(long nanos) {
        long millis = TimeUnit.NANOSECONDS.toMillis(nanos - 1) + 1;
        return (int) Math.max(1, Math.min(millis, Integer.MAX_VALUE));
    }
}
