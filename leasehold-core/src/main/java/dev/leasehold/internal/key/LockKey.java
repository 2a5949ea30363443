package dev.leasehold.internal.key;

import org.jspecify.annotations.Nullable;

/**
 * The key of a lock: {@code <prefix>:{<encoded name>}}. The braces are ours, so the whole encoded name is the hash tag,
 * whatever characters the user's name has. The name is not kept beside it, because a client may have a hundred thousand.
 */
public sealed class LockKey permits PlainKey, ReadKey, PermitKey, QuorumKey {

    /** How many slots a cluster has. */
    public static final int SLOTS = Slots.COUNT;

    private final String key;

    /** What was written as a key. */
    public LockKey(String key) {
        this.key = key;
    }

    /** The key of a name under a prefix. */
    public static LockKey of(KeyPrefix prefix, String name) {
        return of(prefix, "lock name", name);
    }

    /** The same, of something that messages call otherwise. */
    public static LockKey of(KeyPrefix prefix, String what, String name) {
        byte[] bytes = Names.check(what, name);
        return new LockKey(prefix.value() + ":{" + Names.percentEncode(bytes) + "}");
    }

    /** The name a key was made from, or null if it is no key of this prefix. */
    public static @Nullable LockKey parse(KeyPrefix prefix, String key) {
        String head = prefix.value() + ":{";
        if (!key.startsWith(head) || !key.endsWith("}") || key.length() <= head.length() + 1) {
            return null;
        }
        LockKey parsed = new LockKey(key);
        return isNameOf(parsed.name(), parsed.encoded()) ? parsed : null;
    }

    private String encoded() {
        // A prefix has no braces.
        return key.substring(key.indexOf('{') + 1, key.length() - 1);
    }

    /** As it is in Redis. */
    public final String key() {
        return key;
    }

    /** The name of the lock, as the user wrote it. */
    public String name() {
        return Names.percentDecode(encoded());
    }

    /** What lies under it, and so what can be promised. */
    public LockKind kind() {
        return LockKind.STANDARD;
    }

    /** What somebody else wrote may decode to the name of another key, or to none. */
    private static boolean isNameOf(String name, String encoded) {
        try {
            return Names.percentEncode(Names.check("lock name", name)).equals(encoded);
        } catch (IllegalArgumentException noName) {
            return false;
        }
    }

    /** The side of the lock that excludes all others: itself, unless it is the readers'. */
    public LockKey write() {
        return this;
    }

    /** Its slot, if the server is a cluster. */
    public final int slot() {
        return Slots.of(key);
    }

    /** For messages: the name, safe to print. */
    public final String shown() {
        return "'" + Names.escape(name()) + "'";
    }

    /** Two kinds of lock may have the same key: they are not the same lock. */
    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof LockKey that && kind() == that.kind() && key.equals(that.key);
    }

    @Override
    public final int hashCode() {
        return key.hashCode();
    }

    @Override
    public final String toString() {
        return shown();
    }
}
