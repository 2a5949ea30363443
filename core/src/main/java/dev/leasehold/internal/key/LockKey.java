package dev.leasehold.internal.key;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The key of a lock: {@code <prefix>:{<encoded name>}}. Leasehold adds the braces, so the whole encoded name is the
 * hash tag, whatever characters the name has. The decoded name is not stored, because a client may have a hundred
 * thousand keys.
 */
public sealed class LockKey permits PlainKey, RedissonKey, ReadKey, PermitKey, QuorumKey {

    /** The number of slots of a cluster. */
    public static final int SLOTS = Slots.COUNT;

    private static final int MAX_LISTED = 10;

    private final String key;

    /** Wraps a key as it is in Redis. */
    public LockKey(String key) {
        this.key = key;
    }

    /** Returns the key of a name under a prefix. */
    public static LockKey of(KeyPrefix prefix, String name) {
        return of(prefix, "lock name", name);
    }

    /** Returns the key of a name under a prefix; messages call the name {@code what}. */
    public static LockKey of(KeyPrefix prefix, String what, String name) {
        byte[] bytes = Names.check(what, name);
        return new LockKey(prefix.start() + Names.percentEncode(bytes) + "}");
    }

    /** Parses a key; returns null if it is no key of this prefix. */
    public static @Nullable LockKey parse(KeyPrefix prefix, String key) {
        String head = prefix.start();
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

    /** Returns the key as it is in Redis. */
    public final String key() {
        return key;
    }

    /** Returns the name of the lock as given by the caller. */
    public String name() {
        return Names.percentDecode(encoded());
    }

    /** Returns the kind of value under the key, which determines what the lock supports. */
    public LockKind kind() {
        return LockKind.STANDARD;
    }

    /** A key written by another program may decode to the name of another key, or to no valid name. */
    private static boolean isNameOf(String name, String encoded) {
        try {
            return Names.percentEncode(Names.check("lock name", name)).equals(encoded);
        } catch (IllegalArgumentException noName) {
            return false;
        }
    }

    /** Returns the exclusive side of the lock: this key, unless it is the read side. */
    public LockKey write() {
        return this;
    }

    /** Returns the key's slot in a cluster. */
    public final int slot() {
        return Slots.of(key);
    }

    /** Returns the name for messages, quoted and escaped. */
    public final String shown() {
        return "'" + Names.escape(name()) + "'";
    }

    /** Returns what messages call the lock: its kind and its name. */
    public final String inWords() {
        return kind().inWords() + " " + shown();
    }

    /** For messages: the names of several locks; only the first ten if there are more. */
    public static String listed(List<LockKey> keys) {
        String first = keys.stream().limit(MAX_LISTED).map(LockKey::shown).collect(Collectors.joining(", "));
        return keys.size() > MAX_LISTED ? first + " and " + (keys.size() - MAX_LISTED) + " more" : first;
    }

    /** Locks of different kinds may have the same key, but are not the same lock. */
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
