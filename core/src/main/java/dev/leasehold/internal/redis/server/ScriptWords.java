package dev.leasehold.internal.redis.server;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** The words of a call of a script, without a copy of its arguments; and what its reply is for the engine: a flat list of strings. */
final class ScriptWords extends AbstractList<String> implements RandomAccess {

    private static final int WORDS_BEFORE_KEYS = 3;

    private final ScriptCall call;
    private final boolean bySource;

    /** The words of a call by its source, or else by its digest. */
    ScriptWords(ScriptCall call, boolean bySource) {
        this.call = call;
        this.bySource = bySource;
    }

    @Override
    public int size() {
        return WORDS_BEFORE_KEYS + call.keys().size() + call.args().size();
    }

    @Override
    public String get(int index) {
        int keys = call.keys().size();
        return switch (index) {
            case 0 -> bySource ? "EVAL" : "EVALSHA";
            case 1 -> bySource ? call.script().body() : call.script().sha1();
            case 2 -> keys == 1 ? "1" : Integer.toString(keys);
            default -> {
                int key = index - WORDS_BEFORE_KEYS;
                yield key < keys ? call.keys().get(key) : call.args().get(key - keys);
            }
        };
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
        if (reply instanceof String text) {
            return List.of(text);
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
