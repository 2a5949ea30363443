package dev.leasehold.internal.key;

/** What lies under the key of a lock. */
public enum LockKind {
    /** A hash of our own layout: with owners, fencing tokens and a queue. */
    STANDARD,
    /** The same hash, for those who read: they share the lock. */
    READ,
    /** The same hash, for those who hold permits of a semaphore. */
    PERMITS,
    /** A string, as {@code SET NX PX} writes it: with nothing but its holder. */
    PLAIN,
    /** The hash on several independent servers, of which a majority decides: each acquisition its own owner, and no queue. */
    QUORUM;

    /** Whether there is a fencing token that a resource may go by: none where several hold who do not only read. */
    public boolean hasTokens() {
        return this == STANDARD || this == READ || this == QUORUM;
    }

    /** Whether there is room for those who wait. */
    public boolean hasQueue() {
        return this != PLAIN && this != QUORUM;
    }

    /** Whether a process hands the lock on to its own waiters. */
    public boolean handsOn() {
        return this == STANDARD;
    }

    /**
     * Whether several may hold at once: then whoever comes asks for itself, before it waits behind others of its process.
     */
    public boolean eachAsks() {
        return this == PERMITS;
    }

    /** Whether Redis can remember that copies of an acquire are not to be granted any more. */
    public boolean remembersReleases() {
        return this != PLAIN;
    }
}
