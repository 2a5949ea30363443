package dev.leasehold.testkit.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import party.iroiro.luajava.Lua;
import party.iroiro.luajava.lua51.Lua51;

/**
 * A Lua 5.1 in which scripts run as in Redis 7.0. From script to script it keeps only the compiled scripts. Used by
 * one thread at a time.
 */
final class LuaState {

    private static final String SANDBOX = resource();
    /** The number of compiled scripts that are kept; tests that generate scripts must not fill the memory. */
    private static final int MOST_COMPILED = 500;

    private final Lua lua;
    private final LuaStack stack;
    private final Map<String, Integer> compiled = new HashMap<>();
    private @Nullable ScriptCommands commands;
    private @Nullable Throwable bug;

    // Indices, from the bottom of Lua's stack, of the values that every call needs.
    private final int globals;
    private final int compile;
    private final int handler;

    LuaState() {
        this.lua = open();
        this.stack = new LuaStack(lua);
        lua.openLibraries();
        lua.load(SANDBOX);
        lua.createTable(0, 5);
        offer("call", () -> call(true));
        offer("pcall", () -> call(false));
        offer("sha1hex", this::sha1hex);
        offer("readonly", () -> stack.raiseHere("Attempt to modify a readonly table"));
        offer(
                "absent",
                () -> stack.raiseHere(
                        "Script attempted to access nonexistent global variable '" + stack.text(2) + "'"));
        lua.pCall(1, 3);
        this.handler = lua.getTop();
        this.compile = handler - 1;
        this.globals = handler - 2;
    }

    private static Lua open() {
        try {
            LuaLibrary.load();
            return new Lua51();
        } catch (LinkageError | RuntimeException e) {
            throw new IllegalStateException(
                    "The simulated Redis runs real Lua 5.1 by a native library, and there is none for this platform ("
                            + System.getProperty("os.name") + ", " + System.getProperty("os.arch")
                            + "), or it could not be loaded: " + e.getMessage()
                            + ". Use EmbeddedRedis here, or add party.iroiro.luajava:lua51-platform with the natives",
                    e);
        }
    }

    /**
     * A function of the host; it returns the number of results it pushed, or less than 0 to raise the value it
     * pushed.
     */
    private interface HostFunction {
        int run();
    }

    private void offer(String name, HostFunction function) {
        lua.push((Lua ignored) -> {
            try {
                return function.run();
            } catch (RuntimeException | Error e) {
                // No Java exception may unwind through Lua's frames.
                bug = e;
                stack.push("ERR a bug in the simulated Redis: " + e);
                return -1;
            }
        });
        lua.setField(-2, name);
    }

    /** Runs a script; the reply is a String, Long, null, List, {@link StatusReply} or {@link ErrorReply}. */
    @Nullable
    Object run(String sha1, String body, List<String> keys, List<String> args, ScriptCommands sink) {
        int bottom = lua.getTop();
        ScriptCommands outer = commands;
        commands = sink;
        try {
            Integer reference = compiled.get(sha1);
            if (reference == null) {
                Object problem = compile(sha1, body);
                if (problem != null) {
                    return problem;
                }
                reference = Objects.requireNonNull(compiled.get(sha1));
            }
            stack.setList(globals, "KEYS", keys);
            stack.setList(globals, "ARGV", args);
            stack.pushReference(reference);
            if (stack.protectedCall(handler)) {
                return stack.reply(-1);
            }
            return raised(sha1);
        } finally {
            commands = outer;
            lua.setTop(bottom);
        }
    }

    /** Compiles a script if it is not known; returns null if it is well formed. */
    @Nullable
    ErrorReply compile(String sha1, String body) {
        if (compiled.containsKey(sha1)) {
            return null;
        }
        if (compiled.size() >= MOST_COMPILED) {
            compiled.values().forEach(lua::unref);
            compiled.clear();
        }
        int bottom = lua.getTop();
        lua.pushValue(compile);
        stack.push(body);
        lua.pCall(1, 2);
        if (lua.isNil(-2)) {
            String problem = stack.text(-1);
            lua.setTop(bottom);
            return new ErrorReply("ERR Error compiling script (new function): " + problem);
        }
        lua.setTop(bottom + 1);
        compiled.put(sha1, lua.ref());
        return null;
    }

    private Object raised(String sha1) {
        Throwable found = bug;
        if (found != null) {
            bug = null;
            throw new IllegalStateException("a bug in the simulated Redis", found);
        }
        lua.rawGetI(-1, 1);
        lua.rawGetI(-2, 2);
        String text = stack.text(-2);
        return new ErrorReply(text + " script: " + sha1 + stack.text(-1) + ".");
    }

    void close() {
        lua.close();
    }

    private int call(boolean raise) {
        Object reply = answer();
        stack.pushReply(reply);
        return raise && reply instanceof ErrorReply ? -1 : 1;
    }

    private @Nullable Object answer() {
        int count = lua.getTop();
        if (count == 0) {
            return new ErrorReply("ERR Please specify at least one argument for this redis lib call");
        }
        List<String> args = new ArrayList<>(count);
        for (int i = 1; i <= count; i++) {
            String arg = stack.argument(i);
            if (arg == null) {
                return new ErrorReply("ERR Lua redis lib command arguments must be strings or integers");
            }
            args.add(arg);
        }
        return Objects.requireNonNull(commands).call(args);
    }

    private int sha1hex() {
        if (lua.getTop() != 1) {
            stack.pushReply(new ErrorReply("ERR wrong number of arguments"));
            return -1;
        }
        stack.push(Sha1.of(stack.text(1)));
        return 1;
    }

    private static String resource() {
        try (InputStream in = LuaState.class.getResourceAsStream("sandbox.lua")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
