package dev.leasehold.springdata;

import dev.leasehold.spi.ScriptCall;
import java.util.List;
import java.util.Locale;

/**
 * A command, with its keys apart, for in a cluster the first of them tells where it goes.
 *
 * @param name in capitals
 * @param head what stands before the keys
 * @param keys the keys
 * @param tail what stands behind them
 */
record Request(String name, List<String> head, List<String> keys, List<String> tail) {

    static Request byDigest(ScriptCall call) {
        return script("EVALSHA", call.script().sha1(), call);
    }

    static Request whole(ScriptCall call) {
        return script("EVAL", call.script().body(), call);
    }

    private static Request script(String name, String script, ScriptCall call) {
        return new Request(name, List.of(script, Integer.toString(call.keys().size())), call.keys(), call.args());
    }

    /** Any command, whose keys are unknown. */
    static Request of(List<String> words) {
        return new Request(words.get(0).toUpperCase(Locale.ROOT), List.of(), List.of(), words.subList(1, words.size()));
    }

    /** Returns the approximate number of characters that it adds to the output. */
    int size() {
        return size(head) + size(keys) + size(tail);
    }

    private static int size(List<String> words) {
        int size = 0;
        for (String word : words) {
            size += word.length();
        }
        return size;
    }
}
