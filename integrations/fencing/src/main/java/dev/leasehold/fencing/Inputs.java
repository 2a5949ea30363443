package dev.leasehold.fencing;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * The rules for names and tokens. They repeat the core's, which are internal to it; a guard of a database does not need
 * the core.
 */
final class Inputs {

    /** The first number that is no token: from 2^53 on, doubles have gaps, and Lua's numbers are doubles. */
    static final long TOKEN_LIMIT = 1L << 53;

    private static final int MAX_BYTES = 512;
    private static final int SHOWN_CHARS = 100;

    private Inputs() {}

    static void checkToken(long token) {
        if (token <= 0 || token >= TOKEN_LIMIT) {
            throw new IllegalArgumentException("invalid fencing token " + token
                    + ": it must be between 1 and 2^53 - 1, as Lease.fencingToken() returns it");
        }
    }

    static void checkResource(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("the resource's name is empty: it must have 1 to 512 bytes of UTF-8");
        }
        int length = utf8Length(name);
        if (length > MAX_BYTES) {
            throw new IllegalArgumentException("the resource's name '" + escape(name) + "' has " + length
                    + " bytes of UTF-8, more than 512: shorten it, or use a hash of it");
        }
        if (name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "the resource's name '" + escape(name) + "' contains NUL, which databases cannot store: remove it");
        }
    }

    private static int utf8Length(String name) {
        try {
            return StandardCharsets.UTF_8
                    .newEncoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .encode(CharBuffer.wrap(name))
                    .remaining();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "the resource's name '" + escape(name) + "' contains half of a surrogate pair, which is not valid"
                            + " Unicode: check where it was cut",
                    e);
        }
    }

    /** Returns a text for messages: truncated, and with all characters escaped that could forge a line of a log. */
    static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length());
        int shown = Math.min(text.length(), SHOWN_CHARS);
        for (int i = 0; i < shown; i++) {
            char c = text.charAt(i);
            if (isPlain(c)) {
                out.append(c);
            } else {
                out.append(String.format("\\u%04x", (int) c));
            }
        }
        return shown < text.length() ? out + "..." : out.toString();
    }

    private static boolean isPlain(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> c != '\\';
        };
    }
}
