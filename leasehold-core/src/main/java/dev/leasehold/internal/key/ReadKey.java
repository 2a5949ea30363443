package dev.leasehold.internal.key;

/** The key of a read-write lock as its readers use it: the same in Redis, but they wait apart from the writers. */
public final class ReadKey extends LockKey {

    private ReadKey(String key) {
        super(key);
    }

    /** The readers' side of a lock. */
    public static ReadKey of(LockKey write) {
        return new ReadKey(write.key());
    }

    /** The writers' side. */
    @Override
    public LockKey write() {
        return new LockKey(key());
    }

    @Override
    public LockKind kind() {
        return LockKind.READ;
    }
}
