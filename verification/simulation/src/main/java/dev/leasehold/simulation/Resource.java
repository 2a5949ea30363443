package dev.leasehold.simulation;

/** The resource that a lock guards: a register that checks fencing tokens, and a witness that checks nothing. */
final class Resource {

    private long highest;

    /**
     * Checks a read or a write. A read marks the token as used, too, else two holders could read the same value and
     * both write.
     */
    boolean accept(long token) {
        if (token < highest) {
            return false;
        }
        highest = token;
        return true;
    }
}
