package dev.leasehold.chaos.history;

import java.util.Locale;
import java.util.Map;

/**
 * A line of a history.
 *
 * @param at the time by the monotonic clock of the host, which all processes share, in ns
 * @param process the process that wrote it
 * @param thread the thread that wrote it, or see {@link What}
 * @param op the acquisition, empty if it concerns none
 * @param lock the name, empty if it concerns none
 * @param token the fencing token, or see {@link What}
 * @param value see {@link What}
 * @param note see {@link What}
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

    /** Returns whether it is of one of these kinds. */
    public boolean is(What... kinds) {
        for (What one : kinds) {
            if (what == one) {
                return true;
            }
        }
        return false;
    }

    /** Returns the same at another time. */
    public Event movedTo(long time) {
        return new Event(time, process, thread, op, what, lock, token, value, note);
    }

    /** Returns the line of the file, with its end of line. */
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

    /**
     * Parses a line.
     *
     * @param shared the texts of the lines before it, so that each is kept once
     */
    static Event parse(String line, Map<String, String> shared) {
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("not a line of a history: " + line);
        }
        return new Event(
                Long.parseLong(fields[0]),
                one(fields[1], shared),
                one(fields[2], shared),
                one(fields[3], shared),
                What.valueOf(fields[4]),
                one(fields[5], shared),
                Long.parseLong(fields[6]),
                Long.parseLong(fields[7]),
                one(fields[8], shared));
    }

    private static String one(String text, Map<String, String> shared) {
        String before = shared.putIfAbsent(text, text);
        return before == null ? text : before;
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
