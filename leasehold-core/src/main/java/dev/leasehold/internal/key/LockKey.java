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
        return new LockKey(Names.percentDecode(key.substring(head.length(), key.length() - 1)), key);
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
