package dev.leasehold.testkit.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import party.iroiro.luajava.Lua;
import party.iroiro.luajava.lua51.Lua51Natives;

/**
 * Values between Java and Lua. It calls Lua's C functions directly, and only those that cannot raise an error: an
 * error of Lua must not jump over frames of Java.
 *
 * <p>The bridge passes strings in the JVM's variant of UTF-8, and ends them at a zero byte. For ASCII without zero
 * that makes no difference; all other strings are passed byte by byte.
 */
final class LuaStack {

    private static final int NIL = 0;
    private static final int BOOLEAN = 1;
    private static final int NUMBER = 3;
    private static final int STRING = 4;
    private static final int TABLE = 5;

    private static final double EXACT = 1e15;
    private static final double LONG_LIMIT = 0x1p63;

    private final Lua lua;
    private final Lua51Natives c;
    private final long state;
    private final int registry;
    private final int err;
    private final int ok;
    private final int format;

    LuaStack(Lua lua) {
        this.lua = lua;
        this.c = (Lua51Natives) lua.getLuaNatives();
        this.state = lua.getPointer();
        this.registry = c.getRegistryIndex();
        c.luaJ_pushstring(state, "err");
        this.err = lua.ref();
        c.luaJ_pushstring(state, "ok");
        this.ok = lua.ref();
        lua.openLibrary("string");
        lua.load("return string.format");
        lua.pCall(0, 1);
        this.format = lua.ref();
    }

    void pushReference(int reference) {
        c.lua_rawgeti(state, registry, reference);
    }

    /**
     * Calls the function on top of the stack, without arguments, for one result; false if it raised an error, which
     * is then on top.
     */
    boolean protectedCall(int handler) {
        return c.lua_pcall(state, 0, 1, handler) == 0;
    }

    void push(String text) {
        if (isPlain(text)) {
            c.luaJ_pushstring(state, text);
        } else {
            pushBytes(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter == 0 || letter >= 0x80) {
                return false;
            }
        }
        return true;
    }

    private void pushBytes(byte[] bytes) {
        StringBuilder chunk = new StringBuilder("return \"");
        for (byte b : bytes) {
            int value = b & 0xff;
            chunk.append('\\')
                    .append((char) ('0' + value / 100))
                    .append((char) ('0' + value / 10 % 10))
                    .append((char) ('0' + value % 10));
        }
        byte[] source = chunk.append('"').toString().getBytes(StandardCharsets.US_ASCII);
        ByteBuffer buffer = ByteBuffer.allocateDirect(source.length).put(source);
        buffer.flip();
        c.luaJ_loadbuffer(state, buffer, source.length, "=text");
        c.lua_pcall(state, 0, 1, 0);
    }

    /** Returns the string at this index. */
    String text(int index) {
        String text = c.lua_tostring(state, index);
        if (text != null && text.length() == c.lua_objlen(state, index) && isPlain(text)) {
            return text;
        }
        ByteBuffer bytes = lua.toBuffer(index);
        return bytes == null ? "" : StandardCharsets.UTF_8.decode(bytes).toString();
    }

    /** Returns an argument of a command in Redis's format, or null if it is neither string nor number. */
    @Nullable
    String argument(int index) {
        return switch (c.lua_type(state, index)) {
            case STRING -> text(index);
            case NUMBER -> number(c.lua_tonumber(state, index));
            default -> null;
        };
    }

    /** Formats like {@code %.17g} of C. */
    private String number(double value) {
        long whole = (long) value;
        if (whole == value && Math.abs(value) < EXACT && (whole != 0 || 1 / value > 0)) {
            return Long.toString(whole);
        }
        pushReference(format);
        c.luaJ_pushstring(state, "%.17g");
        c.lua_pushnumber(state, value);
        c.lua_pcall(state, 2, 1, 0);
        String text = text(-1);
        c.lua_pop(state, 1);
        return text;
    }

    void setList(int table, String name, List<String> values) {
        pushList(values);
        c.lua_setfield(state, table, name);
    }

    private void pushList(List<?> values) {
        int size = values.size();
        c.lua_createtable(state, size, 0);
        for (int i = 0; i < size; i++) {
            pushReply(values.get(i));
            c.lua_rawseti(state, -2, i + 1);
        }
    }

    /** Pushes a reply of Redis in the form that scripts receive. */
    void pushReply(@Nullable Object reply) {
        if (reply instanceof String text) {
            push(text);
        } else if (reply == null) {
            c.lua_pushboolean(state, 0);
        } else if (reply instanceof Long number) {
            c.lua_pushnumber(state, number);
        } else if (reply instanceof List<?> list) {
            c.lua_checkstack(state, 4);
            pushList(list);
        } else if (reply instanceof StatusReply status) {
            pushField("ok", status.text());
        } else if (reply instanceof ErrorReply error) {
            pushField("err", error.message());
            c.lua_pushboolean(state, 1);
            c.lua_setfield(state, -2, "ignore_error_stats_update");
        } else {
            throw new IllegalArgumentException("no reply of Redis: " + reply);
        }
    }

    private void pushField(String name, String value) {
        c.lua_createtable(state, 0, 2);
        push(value);
        c.lua_setfield(state, -2, name);
    }

    /** Returns a script's result in the form that Redis replies it. */
    @Nullable
    Object reply(int index) {
        return switch (c.lua_type(state, index)) {
            case STRING -> text(index);
            case NUMBER -> integer(c.lua_tonumber(state, index));
            case BOOLEAN -> c.lua_toboolean(state, index) == 1 ? Long.valueOf(1) : null;
            case TABLE -> table(index);
            default -> null;
        };
    }

    /** Casts to a 64-bit integer like C on the machines that Redis runs on. */
    private static Long integer(double value) {
        return value >= -LONG_LIMIT && value < LONG_LIMIT ? (long) value : Long.MIN_VALUE;
    }

    private Object table(int index) {
        c.lua_checkstack(state, 4);
        String error = field(index, err);
        if (error != null) {
            return new ErrorReply(error);
        }
        String status = field(index, ok);
        if (status != null) {
            return new StatusReply(status);
        }
        List<@Nullable Object> list = new ArrayList<>();
        int table = index < 0 ? lua.getTop() + index + 1 : index;
        for (int i = 1; ; i++) {
            c.lua_rawgeti(state, table, i);
            boolean end = c.lua_type(state, -1) == NIL;
            if (!end) {
                list.add(reply(-1));
            }
            c.lua_pop(state, 1);
            if (end) {
                return list;
            }
        }
    }

    private @Nullable String field(int table, int name) {
        pushReference(name);
        c.lua_rawget(state, table < 0 ? table - 1 : table);
        String found = c.lua_type(state, -1) == STRING ? text(-1) : null;
        c.lua_pop(state, 1);
        return found;
    }

    /** Pushes an error that names the line of the script, and returns the value that raises it. */
    int raiseHere(String text) {
        c.luaL_where(state, 1);
        push(text);
        c.lua_concat(state, 2);
        return -1;
    }
}
