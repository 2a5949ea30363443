package dev.leasehold.fencing;

import java.util.regex.Pattern;

/** Checks names of tables and columns: they become part of a statement, so they must be identifiers. */
final class SqlName {

    private static final String PART = "(?:[\\p{L}_][\\p{L}\\p{N}_$]*|\"[^\"\\x00]+\"|`[^`\\x00]+`|\\[[^\\]\\x00]+])";
    private static final Pattern COLUMN = Pattern.compile(PART);
    private static final Pattern TABLE = Pattern.compile(PART + "(?:\\." + PART + "){0,3}");

    private SqlName() {}

    static String table(String name) {
        return check(TABLE, "table", name);
    }

    static String column(String name) {
        return check(COLUMN, "column", name);
    }

    private static String check(Pattern allowed, String what, String name) {
        if (!allowed.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'" + Inputs.escape(name) + "' is not a valid name of a " + what
                            + ": it must be an SQL identifier, in quotes if it has characters other than letters, digits, _ and $");
        }
        return name;
    }
}
