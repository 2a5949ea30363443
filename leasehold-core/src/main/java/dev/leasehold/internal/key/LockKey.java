package dev.leasehold.internal.key;

import org.jspecify.annotations.Nullable;

/**
 * The key of a lock: {@code <prefix>:{<encoded name>}}. The braces are ours, so the whole encoded name is the hash tag,
 * whatever characters the user's name has.
 */
public record LockKey(String name, String key) {

    /** The key of a name under a prefix. */
    public static LockKey of(KeyPrefix prefix, String name) {
        byte[] bytes = Names.check("lock name", name);
        return new LockKey(name, prefix.value() + ":{" + Names.percentEncode(bytes) + "}");
    }

    /** The name a key was made from, or null if it is no key of this prefix. */
    public static @Nullable LockKey parse(KeyPrefix prefix, String key) {
        String head = prefix.value() + ":{";
        if (!key.startsWith(head) || !key.endsWith("}") || key.length() <= head.length() + 1) {
            return null;
        }
        String encoded = key.substring(head.length(), key.length() - 1);
        String name = Names.percentDecode(encoded);
        return isNameOf(name, encoded) ? new LockKey(name, key) : null;
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
        return "'" + Names.escape(name) + "'";
    }

    @Override
    public String toString() {
        return shown();
    }
}
