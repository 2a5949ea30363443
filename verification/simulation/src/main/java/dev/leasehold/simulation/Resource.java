package dev.leasehold.simulation;

/** What a lock guards: a register that checks fencing tokens, and a witness that checks nothing. */
final class Resource {

    private long highest;

    /** A read marks the token as used, else two holders could read the same and both write. */
    boolean read(long token) {
        return accept(token);
    }

    boolean write(long token) {
        return accept(token);
    }

    private boolean accept(long token) {
        if (token < highest) {
            return false;
        }
        highest = token;
        return true;
    }
}
