package dev.leasehold.testkit.internal;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs scripts, in as many Luas as there are threads that do so at the same time. Safe for use by any thread. */
public final class LuaScripts {

    /** Making one and compiling the scripts costs more than running them, so none is ever given back. */
    private static final ConcurrentLinkedDeque<LuaState> IDLE = new ConcurrentLinkedDeque<>();

    private LuaScripts() {}

    /** Runs a script: String, Long, null, List, {@link StatusReply} or {@link ErrorReply}. */
    public static @Nullable Object run(
            String sha1, String body, List<String> keys, List<String> args, ScriptCommands commands) {
        return with(lua -> lua.run(sha1, body, keys, args, commands));
    }

    /** What is wrong with the text of a script, or null. */
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
            // One in which a bug showed is thrown away.
            lua.close();
            throw e;
        }
        IDLE.addFirst(lua);
        return result;
    }
}
