package dev.leasehold.cli.internal.top;

/**
 * A line of the screen.
 *
 * @param text printable text, at most as wide as the screen
 * @param style how to show it
 */
record Line(String text, Style style) {

    /** How a terminal shows a line. */
    enum Style {
        PLAIN,
        BOLD,
        REVERSE,
        /** Out of date. */
        DIM
    }
}
