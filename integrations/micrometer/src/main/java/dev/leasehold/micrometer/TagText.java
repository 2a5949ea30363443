package dev.leasehold.micrometer;

/** Converts names to tags: a name from another client can neither forge a line nor have unlimited length. */
final class TagText {

    private static final int MAX_CHARS = 100;

    private TagText() {}

    static String of(String name) {
        StringBuilder text = new StringBuilder();
        name.codePoints().limit(MAX_CHARS).forEach(point -> text.appendCodePoint(plain(point) ? point : '?'));
        return text.toString();
    }

    private static boolean plain(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
