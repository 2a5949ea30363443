package dev.leasehold.internal.key;

/** The kind of value under the key of a lock. */
public enum LockKind {
    /** Leasehold's hash, with owners, fencing tokens and a queue. */
    STANDARD,
    /** The same hash, used by readers, which share the lock. */
    READ,
    /** The same hash, used by holders of a semaphore's permits. */
    PERMITS,
    /** A string written by {@code SET NX PX}, which contains only its holder. */
    PLAIN,
    /** Redisson's hash, whose only field is its holder. */
    REDISSON,
    /** The same hash, beside a counter of fencing tokens under a key of its own. */
    REDISSON_FENCED,
    /**
     * The hash on several independent servers, of which a majority decides. Each acquisition is its own owner; there is
     * no queue.
     */
    QUORUM;

    /** Returns what messages call such a lock. */
    public String inWords() {
        return switch (this) {
            case STANDARD, READ -> "lock";
            case PERMITS -> "semaphore";
            case PLAIN -> "plain lock";
            case REDISSON, REDISSON_FENCED -> "Redisson lock";
            case QUORUM -> "quorum lock";
        };
    }

    /** Returns whether a resource can check a fencing token: not if several holders write at the same time. */
    public boolean hasTokens() {
        return this == STANDARD || this == READ || this == QUORUM || this == REDISSON_FENCED;
    }

    /** Returns whether the value has a queue of waiters. */
    public boolean hasQueue() {
        return this != QUORUM && !isForeign();
    }

    /** Returns whether the value is that of another convention, which has room for nothing but the holder. */
    public boolean isForeign() {
        return this == PLAIN || isRedisson();
    }

    /** Returns whether waiters hear of each release on a channel of the lock. */
    public boolean isRedisson() {
        return this == REDISSON || this == REDISSON_FENCED;
    }

    /** Returns whether a process hands off the lock to its own waiters. */
    public boolean handsOff() {
        return this == STANDARD;
    }

    /**
     * Returns whether each caller sends its own request before it waits behind other callers of its process, because
     * several may hold at once.
     */
    public boolean eachAsks() {
        return this == PERMITS;
    }

    /** Returns whether Redis can record that delayed copies of an acquire must not be granted any more. */
    public boolean remembersReleases() {
        return !isForeign();
    }
}
