package dev.leasehold.cli.internal;

import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;

/**
 * Makes text from Redis safe to print: no control character reaches the terminal, and no line can be forged. Characters
 * that the terminal's encoding lacks are escaped.
 */
public final class Text {

    /** The encoding of the terminal; which system property has it depends on the version of the JVM. */
    public static final Charset CHARSET = Charset.forName(System.getProperty(
            "stdout.encoding",
            System.getProperty("native.encoding", Charset.defaultCharset().name())));

    private Text() {}

    /**
     * Returns a name in an unambiguous form: a backslash is doubled, so that no name can imitate an escape.
     *
     * @param name the name of a lock, an owner, a host or a thread
     * @return the printable form
     */
    public static String name(String name) {
        return escape(name, true);
    }

    /**
     * Returns a message on one line.
     *
     * @param message anything
     * @return the message without control characters
     */
    public static String line(String message) {
        return escape(message.strip().replaceAll("\\s*\\R\\s*", "; "), false);
    }

    /**
     * Returns the columns that a text takes on a terminal: two for a character of East Asian scripts, none for a
     * combining mark.
     *
     * @param text printable text
     * @return the number of columns
     */
    public static int width(String text) {
        return text.codePoints().map(Text::width).sum();
    }

    /**
     * Shortens a text to a number of columns. A tilde replaces what is left out.
     *
     * @param text printable text
     * @param columns the columns available, zero or more
     * @return the text, or its beginning and a tilde
     */
    public static String cut(String text, int columns) {
        if (width(text) <= columns) {
            return text;
        }
        StringBuilder kept = new StringBuilder();
        int left = columns - 1;
        for (int c : text.codePoints().toArray()) {
            left -= width(c);
            if (left < 0) {
                break;
            }
            kept.appendCodePoint(c);
        }
        return columns == 0 ? "" : kept.append('~').toString();
    }

    private static int width(int c) {
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> 0;
            default -> isWide(c) ? 2 : 1;
        };
    }

    private static boolean isWide(int c) {
        if (isWithin(c, 0xFF00, 0xFF60) || isWithin(c, 0x3000, 0x303F) || isWithin(c, 0x1F300, 0x1FAFF)) {
            return true;
        }
        if (isWithin(c, 0xFF61, 0xFFDC)) {
            return false;
        }
        return switch (Character.UnicodeScript.of(c)) {
            case HAN, HIRAGANA, KATAKANA, HANGUL, BOPOMOFO, YI -> true;
            default -> false;
        };
    }

    private static boolean isWithin(int c, int first, int last) {
        return c >= first && c <= last;
    }

    private static String escape(String text, boolean unambiguous) {
        CharsetEncoder encoder = CHARSET.newEncoder();
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c == '\\' && unambiguous) {
                out.append("\\\\");
            } else if (isPlain(c) && encoder.canEncode(Character.toString(c))) {
                out.appendCodePoint(c);
            } else {
                out.append(c < 0x10000 ? String.format("\\u%04x", c) : String.format("\\u{%x}", c));
            }
        });
        return out.toString();
    }

    private static boolean isPlain(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            case Character.SPACE_SEPARATOR -> c == ' ' || c == 0x3000;
            default -> true;
        };
    }
}
