package dev.leasehold.cli.internal.top;

/**
 * A key that the user pressed.
 *
 * @param kind which key
 * @param character the code point of a character, 0 for other keys
 */
record Key(Kind kind, int character) {

    /** The keys that the live view knows. */
    enum Kind {
        CHARACTER,
        ENTER,
        ESCAPE,
        BACKSPACE,
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN,
        HOME,
        END,
        /** Ctrl-C. */
        INTERRUPT,
        /** The terminal is gone. */
        END_OF_INPUT,
        UNKNOWN
    }

    static Key of(Kind kind) {
        return new Key(kind, 0);
    }

    static Key character(int codePoint) {
        return new Key(Kind.CHARACTER, codePoint);
    }
}
