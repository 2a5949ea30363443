package dev.leasehold.internal.key;

import java.util.regex.Pattern;

/**
 * The prefix of the keys of all locks of a client. Braces would move the hash tag, and glob characters would widen
 * SCAN.
 */
public record KeyPrefix(String value) {

    private static final Pattern ALLOWED = Pattern.compile("[\\x21-\\x7e&&[^{}*?\\[\\]\\\\^]]{1,64}");

    /** Checks the characters. */
    public KeyPrefix {
        if (!ALLOWED.matcher(value).matches()) {
            throw new IllegalArgumentException("key prefix '" + Names.escape(value)
                    + "' must be 1 to 64 printable ASCII characters without braces, blanks or any of * ? [ ] \\ ^");
        }
    }

    /** Returns what every key of this prefix begins with. */
    public String start() {
        return value + ":{";
    }

    /** Returns the pattern that matches all keys of this prefix. */
    public String scanPattern() {
        return start() + "*}";
    }
}
