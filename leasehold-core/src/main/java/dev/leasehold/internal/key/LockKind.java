package dev.leasehold.internal.key;

/** What lies under the key of a lock. */
public enum LockKind {
    /** A hash of our own layout: with owners, fencing tokens and a queue. */
    OURS,
    /** A string, as {@code SET NX PX} writes it: with nothing but its holder. */
    PLAIN;

    /** Whether there is room for fencing tokens. */
    public boolean hasTokens() {
        return this == OURS;
    }

    /** Whether there is room for those who wait, and for what is handed on among them. */
    public boolean hasQueue() {
        return this == OURS;
    }

    /** Whether Redis can remember that copies of an acquire are not to be granted any more. */
    public boolean remembersReleases() {
        return this == OURS;
    }
}
