package dev.leasehold.internal.key;

/** The key of a lock that is shared with Redisson: its name, unencoded, with the channel and the token key that Redisson derives. */
public final class RedissonKey extends LockKey {

    private final boolean fenced;
    private final boolean polled;

    private RedissonKey(String name, boolean fenced, boolean polled) {
        super(name);
        this.fenced = fenced;
        this.polled = polled;
    }

    /** Returns the key of a name; fenced is that of a Redisson {@code RFencedLock}, which has tokens. */
    public static RedissonKey of(String name, boolean fenced) {
        return of(name, fenced, false);
    }

    /** Returns the key of a name whose releases Redisson does not publish on the channel of the lock. */
    public static RedissonKey polled(String name) {
        return of(name, false, true);
    }

    private static RedissonKey of(String name, boolean fenced, boolean polled) {
        byte[] unused = Names.check("lock name", name);
        return new RedissonKey(name, fenced, polled);
    }

    /** Returns whether a waiter polls, although it hears of the releases of this library: the lock is the same as one that is not polled. */
    public boolean isPolled() {
        return polled;
    }

    @Override
    public String name() {
        return key();
    }

    @Override
    public LockKind kind() {
        return fenced ? LockKind.REDISSON_FENCED : LockKind.REDISSON;
    }

    /** Returns the channel on which each release is published. */
    public String channel() {
        return derived("redisson_lock__channel");
    }

    /** Returns the key of the last token. */
    public String tokenKey() {
        return derived("redisson_lock_token");
    }

    /** Redisson leaves the hash tag of a name as it is, and makes the whole name one if it has none. */
    private String derived(String prefix) {
        return key().contains("{") ? prefix + ":" + key() : prefix + ":{" + key() + "}";
    }
}
