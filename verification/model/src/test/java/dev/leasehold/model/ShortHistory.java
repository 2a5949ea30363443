package dev.leasehold.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A history of a few lines, of which no server that obeys the protocol explains the last. Leases are of a second; times are in
 * ms, and so are tokens, counted from the first.
 */
final class ShortHistory {

    private static final int LEASE = 1000;
    private static final int MICRO = 1000;
    private static final long FIRST_TOKEN = 100_000_000L;

    private final String name;
    private final List<String> lines = new ArrayList<>();

    ShortHistory(String name) {
        this.name = name;
    }

    /** An acquisition whose client learns later until when its lease counts as held, and its token. */
    ShortHistory asks(int at, String op, int token, int until) {
        return asks(at, op, false, "granted", FIRST_TOKEN + (long) token * MICRO, until);
    }

    /** The same by a client that retains the hold after the release. */
    ShortHistory asksAndRetains(int at, String op, int token, int until) {
        return asks(at, op, true, "granted", FIRST_TOKEN + (long) token * MICRO, until);
    }

    /** An acquisition that is told later that others have the lock. */
    ShortHistory asksInVain(int at, String op) {
        return asks(at, op, false, "busy", 0, 0);
    }

    private ShortHistory asks(int at, String op, boolean retains, String outcome, long token, int until) {
        return line(
                "asks",
                at,
                of(op) + ",\"lease\":" + LEASE * MICRO + ",\"retains\":" + retains + ",\"outcome\":\"" + outcome
                        + "\",\"token\":" + token + until(until));
    }

    ShortHistory granted(int at, String op, int token, int until) {
        return line("granted", at, of(op) + until(until) + ",\"token\":" + (FIRST_TOKEN + (long) token * MICRO));
    }

    ShortHistory holds(int at, String op, int until) {
        return line("holds", at, of(op) + until(until));
    }

    ShortHistory releases(int at, String op) {
        return line("releases", at, of(op));
    }

    ShortHistory released(int at, String op) {
        return line("released", at, of(op) + ",\"failed\":false");
    }

    ShortHistory lost(int at, String op) {
        return line("lost", at, of(op) + ",\"over\":false");
    }

    ShortHistory busy(int at, String op) {
        return line("busy", at, of(op));
    }

    ShortHistory death(int at, String client) {
        return line("death", at, ",\"client\":\"" + client + '"');
    }

    /** Redis loses all data, within 10 ms. */
    ShortHistory flushed(int at) {
        return line("loses", at, ",\"fault\":\"flushall\"").line("over", at + 10, ",\"fault\":\"flushall\"");
    }

    /** The name of an acquisition begins with that of its client. */
    private static String of(String op) {
        return ",\"op\":\"" + op + "\",\"client\":\"" + op.substring(0, op.indexOf('.')) + '"';
    }

    private static String until(int millis) {
        return ",\"until\":" + millis * MICRO;
    }

    private ShortHistory line(String kind, int at, String rest) {
        lines.add("{\"trace\":\"" + name + "\",\"line\":\"" + kind + "\",\"at\":" + at * MICRO + rest + '}');
        return this;
    }

    List<String> lines() {
        return lines;
    }

    /** Returns the name and the number of the last line. */
    String rejected() {
        return name + ' ' + lines.size();
    }
}
