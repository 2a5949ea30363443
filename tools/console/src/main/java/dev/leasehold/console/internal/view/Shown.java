package dev.leasehold.console.internal.view;

/**
 * Makes text from Redis safe to show and to log: control and format characters, among them marks that reverse the
 * reading direction, become escapes, so that no text can imitate another or forge a line.
 */
public final class Shown {

    private static final int BASIC_PLANE_END = 0x10000;
    private static final int IDEOGRAPHIC_SPACE = 0x3000;

    private Shown() {}

    /**
     * Returns a name in an unambiguous form: a backslash is doubled, so that no name can imitate an escape.
     *
     * @param name the name of a lock, an owner, a host or a thread, or a label or a reason
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
    public static String message(String message) {
        return escape(message.strip().replaceAll("\\s*\\R\\s*", "; "), false);
    }

    private static String escape(String text, boolean unambiguous) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c == '\\' && unambiguous) {
                out.append("\\\\");
            } else if (isPlain(c)) {
                out.appendCodePoint(c);
            } else {
                out.append(c < BASIC_PLANE_END ? String.format("\\u%04x", c) : String.format("\\u{%x}", c));
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
            case Character.SPACE_SEPARATOR -> c == ' ' || c == IDEOGRAPHIC_SPACE;
            default -> true;
        };
    }
}
