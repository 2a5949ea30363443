package dev.leasehold.testkit.internal;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A command of Redis as the server knows it.
 *
 * @param arity the number of its words; if negative, the minimum
 * @param flags the properties that the server checks before it runs the command
 * @param body the implementation
 */
record Command(int arity, Set<Flag> flags, Body body) {

    enum Flag {
        WRITE,
        /** The command may need more memory and is refused when there is none. */
        DENY_OOM,
        NO_SCRIPT,
        /** The first argument is a key, which the command only reads. */
        READS_KEY,
        /** All arguments are keys, which the command only reads. */
        READS_KEYS
    }

    /** The implementation of a command. */
    interface Body {
        @Nullable
        Object run(Server server, List<String> args);
    }

    boolean accepts(int words) {
        return arity >= 0 ? words == arity : words >= -arity;
    }

    /** Returns the keys that it only reads. */
    List<String> keysRead(List<String> words) {
        if (is(Flag.READS_KEYS)) {
            return words.subList(1, words.size());
        }
        return is(Flag.READS_KEY) ? words.subList(1, 2) : List.of();
    }

    boolean is(Flag flag) {
        return flags.contains(flag);
    }
}
