package dev.leasehold.internal.key;

/** The key of a lock that a majority of several servers keeps: the same on each. */
public final class QuorumKey extends LockKey {

    private QuorumKey(String key) {
        super(key);
    }

    /** Returns the key of a name under a prefix. */
    public static QuorumKey of(KeyPrefix prefix, String name) {
        return new QuorumKey(LockKey.of(prefix, name).key());
    }

    @Override
    public LockKind kind() {
        return LockKind.QUORUM;
    }
}
