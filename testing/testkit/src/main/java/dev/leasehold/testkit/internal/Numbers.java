package dev.leasehold.testkit.internal;

import org.jspecify.annotations.Nullable;

/** Numbers in commands. */
final class Numbers {

    private static final int MOST_DIGITS = 20;

    private Numbers() {}

    /** Parses a 64-bit integer in the only format that Redis accepts: no plus, no leading zero, no blank; else null. */
    static @Nullable Long parse(String text) {
        if (text.isEmpty() || text.length() > MOST_DIGITS) {
            return null;
        }
        char first = text.charAt(0);
        if (first != '-' && (first < '0' || first > '9')) {
            return null;
        }
        try {
            long value = Long.parseLong(text);
            return Long.toString(value).equals(text) ? value : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    static boolean overflows(long a, long b) {
        long sum = a + b;
        return ((a ^ sum) & (b ^ sum)) < 0;
    }
}
