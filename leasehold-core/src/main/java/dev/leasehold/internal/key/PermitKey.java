package dev.leasehold.internal.key;

/** The key of a semaphore, with what is asked of it: that is no part of its identity. */
public final class PermitKey extends LockKey {

    private final int total;
    private final int wanted;

    private PermitKey(String key, int total, int wanted) {
        super(key);
        this.total = total;
        this.wanted = wanted;
    }

    /**
     * The semaphore under the key of a lock.
     *
     * @param total how many permits it is said to have
     * @param wanted how many an acquisition takes
     */
    public static PermitKey of(LockKey lock, int total, int wanted) {
        return new PermitKey(lock.key(), total, wanted);
    }

    /** The semaphore under that key, to find what belongs to it. */
    public static PermitKey of(LockKey lock) {
        return of(lock, 1, 1);
    }

    /** How many permits there are, as the caller says. */
    public int total() {
        return total;
    }

    /** How many permits an acquisition takes. */
    public int wanted() {
        return wanted;
    }

    @Override
    public LockKind kind() {
        return LockKind.PERMITS;
    }
}
