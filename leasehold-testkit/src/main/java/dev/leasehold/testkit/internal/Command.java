package dev.leasehold.testkit.internal;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A command of Redis as the server knows it.
 *
 * @param arity the number of its words; below zero, at least so many
 * @param flags what the server must know before it runs it
 * @param body what it does
 */
record Command(int arity, Set<Flag> flags, Body body) {

    enum Flag {
        WRITE,
        /** May need more memory, so it is refused when there is none. */
        DENY_OOM,
        NO_SCRIPT
    }

    /** What a command does. */
    interface Body {
        @Nullable
        Object run(Server server, List<String> args);
    }

    boolean accepts(int words) {
        return arity >= 0 ? words == arity : words >= -arity;
    }

    boolean is(Flag flag) {
        return flags.contains(flag);
    }
}
