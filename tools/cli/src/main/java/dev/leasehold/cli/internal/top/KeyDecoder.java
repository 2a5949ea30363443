package dev.leasehold.cli.internal.top;

import dev.leasehold.cli.internal.top.Key.Kind;
import java.io.IOException;

/** Decodes the characters that a terminal in raw mode sends, and the escape sequences of ECMA-48 and of xterm. */
final class KeyDecoder {

    /** The pause after which an escape character is the key of that name. */
    private static final long SEQUENCE_MILLIS = 50;

    private static final int END_OF_INPUT = -1;
    private static final int CTRL_C = 3;
    private static final int BACKSPACE = 8;
    private static final int ESCAPE = 27;
    private static final int DELETE = 127;
    private static final int LONGEST_SEQUENCE = 32;

    private final Source source;

    /** The characters of a terminal. */
    interface Source {
        /**
         * Returns the next character, or a negative number at the end of the input or if none came in time.
         *
         * @param timeoutMillis the time to wait, 0 for no limit
         */
        int read(long timeoutMillis) throws IOException;
    }

    KeyDecoder(Source source) {
        this.source = source;
    }

    /** Waits for the next key. */
    Key next() throws IOException {
        int c = source.read(0);
        return switch (c) {
            case CTRL_C -> Key.of(Kind.INTERRUPT);
            case '\r', '\n' -> Key.of(Kind.ENTER);
            case BACKSPACE, DELETE -> Key.of(Kind.BACKSPACE);
            case ESCAPE -> sequence();
            case END_OF_INPUT -> Key.of(Kind.END_OF_INPUT);
            default -> c < ' ' ? Key.of(Kind.UNKNOWN) : Key.character(codePoint(c));
        };
    }

    private int codePoint(int c) throws IOException {
        if (!Character.isHighSurrogate((char) c)) {
            return c;
        }
        int low = source.read(SEQUENCE_MILLIS);
        return low >= 0 && Character.isLowSurrogate((char) low) ? Character.toCodePoint((char) c, (char) low) : c;
    }

    private Key sequence() throws IOException {
        int c = source.read(SEQUENCE_MILLIS);
        if (c < 0) {
            return Key.of(Kind.ESCAPE);
        }
        if (c != '[' && c != 'O') {
            return Key.of(Kind.UNKNOWN);
        }
        StringBuilder sequence = new StringBuilder();
        do {
            c = source.read(SEQUENCE_MILLIS);
            if (c < 0 || sequence.length() == LONGEST_SEQUENCE) {
                return Key.of(Kind.UNKNOWN);
            }
            sequence.append((char) c);
        } while (c < '@' || c > '~');
        return Key.of(kind(sequence.toString()));
    }

    private static Kind kind(String sequence) {
        return switch (sequence) {
            case "A" -> Kind.UP;
            case "B" -> Kind.DOWN;
            case "5~" -> Kind.PAGE_UP;
            case "6~" -> Kind.PAGE_DOWN;
            case "H", "1~", "7~" -> Kind.HOME;
            case "F", "4~", "8~" -> Kind.END;
            default -> Kind.UNKNOWN;
        };
    }
}
