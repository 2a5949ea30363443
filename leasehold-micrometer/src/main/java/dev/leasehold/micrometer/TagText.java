package dev.leasehold.micrometer;

/** Names as tags: what others wrote may neither forge a line nor be of any length. */
final class TagText {

    private static final int MOST = 100;

    private TagText() {}

    static String of(String name) {
        StringBuilder text = new StringBuilder();
        name.codePoints().limit(MOST).forEach(point -> text.appendCodePoint(plain(point) ? point : '?'));
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
