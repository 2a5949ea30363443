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
        NO_SCRIPT
    }

    /** The implementation of a command. */
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
