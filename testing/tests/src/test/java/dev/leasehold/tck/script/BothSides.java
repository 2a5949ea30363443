package dev.leasehold.tck.script;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.testkit.SimulatedRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Replies in one form, whether they are from a server or from the simulation. */
final class BothSides {

    private BothSides() {}

    /** Returns the simulation's answer; an error as its text. */
    static Object simulated(SimulatedRedis redis, List<String> args) {
        try {
            return redis.execute(args);
        } catch (RedisErrorException e) {
            return "error: " + e.getMessage();
        }
    }

    /** Returns a server's reply; an error as its text, within a list without a mark, like the simulation. */
    static Object plain(Object reply) {
        // A client leaves out what an error quotes, on both sides.
        return reply instanceof Wire.ErrorReply error
                ? "error: " + new RedisErrorException(String.valueOf(error.getMessage())).getMessage()
                : nested(reply);
    }

    private static Object nested(Object reply) {
        if (reply instanceof Wire.ErrorReply error) {
            return error.getMessage();
        }
        if (reply instanceof List<?> list) {
            List<Object> plain = new ArrayList<>();
            list.forEach(item -> plain.add(nested(item)));
            return plain;
        }
        return reply;
    }

    /** Returns the reply of {@code inspect.lua} with the fields of each lock as a map; any other reply unchanged. */
    static Object inspected(Object reply) {
        if (!(reply instanceof List<?> words)) {
            return reply;
        }
        List<Object> each = new ArrayList<>(words.subList(0, 2));
        if (!words.get(0).equals("each")) {
            each.add(one(words.subList(2, words.size()), words.get(0)));
            return each;
        }
        int at = 2;
        while (at < words.size()) {
            int end = at + 1 + Integer.parseInt(words.get(at).toString());
            each.add(words.get(at + 1));
            each.add(one(words.subList(at + 2, end), words.get(at + 1)));
            at = end;
        }
        return each;
    }

    private static Object one(List<?> words, Object code) {
        return code.equals("lock") ? fields(words.subList(1, words.size())) : words;
    }

    /** Returns the reply of HGETALL as a map; any other reply unchanged. */
    static Object fields(Object reply) {
        if (!(reply instanceof List<?> list)) {
            return reply;
        }
        Map<Object, Object> fields = new TreeMap<>();
        for (int i = 0; i < list.size(); i += 2) {
            fields.put(list.get(i), list.get(i + 1));
        }
        return fields;
    }
}
