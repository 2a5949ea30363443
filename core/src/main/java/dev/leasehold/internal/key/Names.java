package dev.leasehold.internal.key;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rules for names of locks and owners, and their safe forms in keys, messages and logs. */
public final class Names {

    /** The longest name, in bytes of UTF-8. */
    public static final int MAX_BYTES = 512;

    private static final int SHOWN_CHARS = 100;
    private static final int REASON_CHARS = 2_000;
    private static final String MORE = "...";
    private static final String HEX = "0123456789ABCDEF";
    private static final String READABLE_SIGNS = "-_.:/@,+=~";

    private Names() {}

    /**
     * Checks a name and returns its bytes in UTF-8.
     *
     * @throws IllegalArgumentException if it is empty, too long, or holds NUL or a lone surrogate
     */
    public static byte[] check(String what, String name) {
        if (Objects.requireNonNull(name, what).isEmpty()) {
            throw new IllegalArgumentException(what + " is empty: it must have 1 to " + MAX_BYTES + " bytes of UTF-8");
        }
        if (name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    what + " '" + escape(name) + "' contains NUL, which other tools cannot print: remove it");
        }
        byte[] bytes = encode(what, name);
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException(what + " '" + escape(name) + "' has " + bytes.length
                    + " bytes of UTF-8, more than " + MAX_BYTES + ": shorten it, or use a hash of it");
        }
        return bytes;
    }

    private static byte[] encode(String what, String name) {
        try {
            ByteBuffer buffer = StandardCharsets.UTF_8
                    .newEncoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .encode(CharBuffer.wrap(name));
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    what + " '" + escape(name) + "' contains half of a surrogate pair, which is no Unicode text: "
                            + "check where the text was cut",
                    e);
        }
    }

    /**
     * Encodes bytes: ASCII letters, digits and a few signs are unchanged, every other byte becomes %XX, so braces never
     * occur.
     */
    public static String percentEncode(byte[] bytes) {
        StringBuilder out = new StringBuilder(bytes.length + 16);
        for (byte b : bytes) {
            if (isReadable(b)) {
                out.append((char) b);
            } else {
                out.append('%').append(HEX.charAt((b >> 4) & 0xf)).append(HEX.charAt(b & 0xf));
            }
        }
        return out.toString();
    }

    /** Decodes the result of {@link #percentEncode}. */
    public static String percentDecode(String encoded) {
        byte[] bytes = new byte[encoded.length()];
        int n = 0;
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c == '%' && i + 2 < encoded.length() && isHex(encoded, i + 1)) {
                bytes[n++] = (byte) Integer.parseInt(encoded, i + 1, i + 3, 16);
                i += 2;
            } else {
                bytes[n++] = (byte) c;
            }
        }
        return new String(bytes, 0, n, StandardCharsets.UTF_8);
    }

    private static boolean isHex(String text, int at) {
        return Character.digit(text.charAt(at), 16) >= 0 && Character.digit(text.charAt(at + 1), 16) >= 0;
    }

    private static boolean isReadable(byte b) {
        return (b >= 'a' && b <= 'z')
                || (b >= 'A' && b <= 'Z')
                || (b >= '0' && b <= '9')
                || READABLE_SIGNS.indexOf(b) >= 0;
    }

    /** Escapes control, format and separator characters for messages and logs, so that no line can be forged. */
    public static String escape(String text) {
        return escape(text, SHOWN_CHARS, "");
    }

    /**
     * Escapes the reason of a failure. It becomes a part of a sentence, so the full stop at its end is left out. To escape it again
     * changes nothing.
     */
    public static String escapeReason(@Nullable String text) {
        String escaped = escapeLong(text);
        return escaped.endsWith(".") && !escaped.endsWith("..") ? escaped.substring(0, escaped.length() - 1) : escaped;
    }

    /** Escapes a text that is longer than a name, and whose end often says most. To escape it again changes nothing. */
    public static String escapeLong(@Nullable String text) {
        String escaped = escape(String.valueOf(text), REASON_CHARS, "\\");
        return escaped.length() > REASON_CHARS ? escaped.substring(0, REASON_CHARS - MORE.length()) + MORE : escaped;
    }

    private static String escape(String text, int most, String alsoPlain) {
        StringBuilder out = new StringBuilder(text.length());
        int shown = Math.min(text.length(), most);
        for (int i = 0; i < shown; i++) {
            char c = text.charAt(i);
            if (isPlain(c) || alsoPlain.indexOf(c) >= 0) {
                out.append(c);
            } else {
                out.append(String.format("\\u%04x", (int) c));
            }
        }
        return shown < text.length() ? out + MORE : out.toString();
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
