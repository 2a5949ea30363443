package dev.leasehold.chaos.history;

import java.util.Locale;

/**
 * A line of a history.
 *
 * @param at by the monotonic clock of the host, which all processes share, in ns
 * @param process who wrote it
 * @param thread which of its threads, or what {@link What} says
 * @param op the acquisition, empty if it concerns none
 * @param lock the name, empty if it concerns none
 * @param token the fencing token, or what {@link What} says
 * @param value what {@link What} says
 * @param note what {@link What} says
 */
public record Event(
        long at,
        String process,
        String thread,
        String op,
        What what,
        String lock,
        long token,
        long value,
        String note) {

    private static final int FIELDS = 9;

    /** Whether it is one of these. */
    public boolean is(What... those) {
        for (What one : those) {
            if (what == one) {
                return true;
            }
        }
        return false;
    }

    /** As it stands in the file, with its end of line. */
    String line() {
        return String.join(
                        "\t",
                        Long.toString(at),
                        process,
                        thread,
                        op,
                        what.name(),
                        lock,
                        Long.toString(token),
                        Long.toString(value),
                        plain(note))
                + "\n";
    }

    private static String plain(String text) {
        return text.replace('\t', ' ').replace('\n', ' ').replace('\r', ' ');
    }

    static Event parse(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("not a line of a history: " + line);
        }
        return new Event(
                Long.parseLong(fields[0]),
                fields[1],
                fields[2],
                fields[3],
                What.valueOf(fields[4]),
                fields[5],
                Long.parseLong(fields[6]),
                Long.parseLong(fields[7]),
                fields[8]);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%.6f s  %s %s  %s %s %s token %d value %d %s",
                at / 1e9,
                process,
                thread,
                what,
                op,
                lock,
                token,
                value,
                note);
    }
}
