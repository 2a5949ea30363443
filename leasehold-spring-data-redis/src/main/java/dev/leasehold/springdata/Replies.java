package dev.leasehold.springdata;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads replies that are String, Long, null, or a List of these. */
final class Replies {

    private Replies() {}

    /**
     * The reply of a script as a flat list of strings: numbers in decimal, what is nested in its place, nil as the empty
     * string.
     */
    static List<String> strings(@Nullable Object reply) {
        List<String> strings = new ArrayList<>(reply instanceof List<?> list ? list.size() : 1);
        flatten(reply, strings);
        return strings;
    }

    private static void flatten(@Nullable Object reply, List<String> into) {
        if (reply instanceof List<?> list) {
            list.forEach(element -> flatten(element, into));
        } else {
            into.add(reply == null ? "" : reply.toString());
        }
    }
}
