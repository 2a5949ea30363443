package dev.leasehold.simulation;

/** What a lock guards: a register that checks fencing tokens, and a witness that checks nothing. */
final class Resource {

    private long highest;

    /** A read or a write. A read marks the token as used, too, else two holders could read the same and both write. */
    boolean accept(long token) {
        if (token < highest) {
            return false;
        }
        highest = token;
        return true;
    }
}
