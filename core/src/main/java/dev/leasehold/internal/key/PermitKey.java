package dev.leasehold.internal.key;

/** The key of a semaphore, with the numbers of a request, which are not part of its identity. */
public final class PermitKey extends LockKey {

    private final int total;
    private final int wanted;

    private PermitKey(String key, int total, int wanted) {
        super(key);
        this.total = total;
        this.wanted = wanted;
    }

    /**
     * Returns the semaphore under the key of a lock.
     *
     * @param total the number of permits that the caller expects
     * @param wanted the number of permits per acquisition
     */
    public static PermitKey of(LockKey lock, int total, int wanted) {
        return new PermitKey(lock.key(), total, wanted);
    }

    /** Returns the semaphore under that key, for look-ups. */
    public static PermitKey of(LockKey lock) {
        return of(lock, 1, 1);
    }

    /** Returns the number of permits that the caller expects. */
    public int total() {
        return total;
    }

    /** Returns the number of permits per acquisition. */
    public int wanted() {
        return wanted;
    }

    @Override
    public LockKind kind() {
        return LockKind.PERMITS;
    }
}
