package dev.leasehold.internal.key;

import org.jspecify.annotations.Nullable;

/**
 * The key of a lock: {@code <prefix>:{<encoded name>}}. The braces are ours, so the whole encoded name is the hash tag,
 * whatever characters the user's name has. The name is not kept beside it, because a client may have a hundred thousand.
 */
public record LockKey(String key) {

    /** The key of a name under a prefix. */
    public static LockKey of(KeyPrefix prefix, String name) {
        byte[] bytes = Names.check("lock name", name);
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

    /** The name of the lock, as the user wrote it. */
    public String name() {
        return Names.percentDecode(encoded());
    }

    /** What somebody else wrote may decode to the name of another key, or to none. */
    private static boolean isNameOf(String name, String encoded) {
        try {
            return Names.percentEncode(Names.check("lock name", name)).equals(encoded);
        } catch (IllegalArgumentException noName) {
            return false;
        }
    }

    /** Its slot, if the server is a cluster. */
    public int slot() {
        return Slots.of(key);
    }

    /** For messages: the name, safe to print. */
    public String shown() {
        return "'" + Names.escape(name()) + "'";
    }

    @Override
    public String toString() {
        return shown();
    }
}
