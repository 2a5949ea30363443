package dev.leasehold.internal.key;

/** The key of the read side of a read-write lock: the same key in Redis, but readers wait separately from writers. */
public final class ReadKey extends LockKey {

    private ReadKey(String key) {
        super(key);
    }

    /** Returns the read side of a lock. */
    public static ReadKey of(LockKey write) {
        return new ReadKey(write.key());
    }

    /** Returns the write side. */
    @Override
    public LockKey write() {
        return new LockKey(key());
    }

    @Override
    public LockKind kind() {
        return LockKind.READ;
    }
}
