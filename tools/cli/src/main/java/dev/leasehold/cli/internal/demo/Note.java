package dev.leasehold.cli.internal.demo;

import java.util.Arrays;
import java.util.List;

/**
 * One record of a process.
 *
 * @param nanos the time, by the monotonic clock, which all processes of a machine share
 * @param player the number of the player, 1 to 5
 * @param event the event
 * @param draw the number of the draw, 0 if outside a draw
 * @param token the fencing token of the lease, 0 without one
 * @param held whether the player could rely on the lease at that moment
 * @param detail winners, a cause, or the id of a process; one line
 */
record Note(long nanos, int player, Event event, int draw, long token, boolean held, String detail) {

    private static final int FIELDS = 7;

    /** Returns a record of the director about a player. */
    static Note of(Event event, int player, int draw, String detail) {
        return new Note(System.nanoTime(), player, event, draw, 0, false, detail);
    }

    /** Returns the line that a player writes. */
    String format() {
        return String.join(
                "\t",
                String.valueOf(nanos),
                String.valueOf(player),
                event.name(),
                String.valueOf(draw),
                String.valueOf(token),
                String.valueOf(held),
                detail.replaceAll("[\\t\\r\\n]+", " "));
    }

    /** Parses a line that {@link #format} returned. */
    static Note parse(String line) {
        String[] f = line.split("\t", FIELDS);
        if (f.length != FIELDS) {
            throw new IllegalArgumentException("not a record: " + line);
        }
        return new Note(
                Long.parseLong(f[0]),
                Integer.parseInt(f[1]),
                Event.valueOf(f[2]),
                Integer.parseInt(f[3]),
                Long.parseLong(f[4]),
                Boolean.parseBoolean(f[5]),
                f[6]);
    }

    /** Returns the tickets in the detail of a draw. */
    List<Integer> winners() {
        return Arrays.stream(detail.split(","))
                .filter(number -> !number.isBlank())
                .map(number -> Integer.valueOf(number.strip()))
                .toList();
    }

    boolean is(Event what, int which) {
        return event == what && draw == which;
    }
}
