package dev.leasehold.internal.redis.server;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The words of a call of a script, and what its reply is for the engine: a flat list of strings. */
final class ScriptWords {

    private static final int WORDS_BEFORE_KEYS = 3;

    private ScriptWords() {}

    /** By its source, or else by its digest. */
    static List<String> of(ScriptCall call, boolean bySource) {
        List<String> words = new ArrayList<>(
                WORDS_BEFORE_KEYS + call.keys().size() + call.args().size());
        words.add(bySource ? "EVAL" : "EVALSHA");
        words.add(bySource ? call.script().body() : call.script().sha1());
        words.add(Integer.toString(call.keys().size()));
        words.addAll(call.keys());
        words.addAll(call.args());
        return words;
    }

    /**
     * Flattens the reply: numbers in decimal, what is nested in its place, nil as the empty string. A flat list of strings
     * is the reply itself.
     *
     * @throws RedisErrorException if it contains an error
     */
    @SuppressWarnings("unchecked") // every element is a string
    static List<String> strings(@Nullable Object reply) {
        if (reply instanceof List<?> list && isFlat(list)) {
            return (List<String>) list;
        }
        List<String> strings = new ArrayList<>();
        flatten(reply, strings);
        return strings;
    }

    private static boolean isFlat(List<?> list) {
        for (Object element : list) {
            if (!(element instanceof String)) {
                return false;
            }
        }
        return true;
    }

    private static void flatten(@Nullable Object reply, List<String> into) {
        if (reply instanceof List<?> list) {
            list.forEach(element -> flatten(element, into));
        } else if (reply instanceof RedisErrorException error) {
            throw error;
        } else {
            into.add(reply == null ? "" : reply.toString());
        }
    }
}
