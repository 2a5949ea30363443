package dev.leasehold.jedis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.KeyValue;

/** Commands as Jedis sends them, and what it makes of replies, in either version of the protocol. */
final class Replies {

    private Replies() {}

    static CommandArguments arguments(List<String> words) {
        byte[] name = words.get(0).getBytes(StandardCharsets.UTF_8);
        CommandArguments arguments = new CommandArguments(() -> name);
        words.subList(1, words.size()).forEach(arguments::add);
        return arguments;
    }

    /** Returns a reply as String, Long, null, or a List of these; a map as the list of its keys and values. */
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
            return Failures.refusal(error);
        }
        return reply == null || reply instanceof Long ? reply : reply.toString();
    }
}
