package dev.leasehold.jedis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.KeyValue;

/** Reads what Jedis made of a reply, in either version of the protocol. */
final class Replies {

    private Replies() {}

    /**
     * The reply of a script as a flat list of strings: numbers in decimal, what is nested in its place, nil as the empty
     * string.
     */
    static List<String> strings(@Nullable Object reply) {
        List<String> strings = new ArrayList<>(reply instanceof Collection<?> list ? list.size() : 1);
        flatten(reply, strings);
        return strings;
    }

    private static void flatten(@Nullable Object reply, List<String> into) {
        if (reply instanceof Collection<?> list) {
            list.forEach(element -> flatten(element, into));
        } else if (reply instanceof KeyValue<?, ?> entry) {
            flatten(entry.getKey(), into);
            flatten(entry.getValue(), into);
        } else {
            Object element = element(reply);
            into.add(element == null ? "" : element.toString());
        }
    }

    /** Any reply: String, Long, null, or a List of these; a map as the list of its keys and values. */
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
}
