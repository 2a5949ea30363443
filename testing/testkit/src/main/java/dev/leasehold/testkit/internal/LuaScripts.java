package dev.leasehold.testkit.internal;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts, in as many Lua states as there are threads that run scripts concurrently. Safe for use by any
 * thread.
 */
public final class LuaScripts {

    /** Idle states. To create one and compile the scripts costs more than to run them, so none is ever discarded. */
    private static final ConcurrentLinkedDeque<LuaState> IDLE = new ConcurrentLinkedDeque<>();

    private LuaScripts() {}

    /** Runs a script: String, Long, null, List, {@link StatusReply} or {@link ErrorReply}. */
    public static @Nullable Object run(
            String sha1, String body, List<String> keys, List<String> args, ScriptCommands commands) {
        return with(lua -> lua.run(sha1, body, keys, args, commands));
    }

    /** Compiles the text of a script and returns its error, or null. */
    public static @Nullable ErrorReply check(String sha1, String body) {
        return with(lua -> lua.compile(sha1, body));
    }

    private static <T extends @Nullable Object> T with(Function<LuaState, T> work) {
        LuaState lua = IDLE.pollFirst();
        if (lua == null) {
            lua = new LuaState();
        }
        T result;
        try {
            result = work.apply(lua);
        } catch (RuntimeException | Error e) {
            // A state in which a bug showed is discarded.
            lua.close();
            throw e;
        }
        IDLE.addFirst(lua);
        return result;
    }
}
