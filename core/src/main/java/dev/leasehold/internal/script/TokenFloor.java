package dev.leasehold.internal.script;

/** The highest fencing token a client has seen for a name; 0 if none. */
public record TokenFloor(long token) {

    String arg() {
        return Long.toString(token);
    }
}
