package dev.leasehold.internal.key;

import org.jspecify.annotations.Nullable;

/**
 * The key of a plain lock: its name, unencoded, because other programs with the same convention must find it. What a forced release may
 * delete is not part of its identity.
 */
public final class PlainKey extends LockKey {

    private final String name;
    private final @Nullable String channel;
    private final boolean anyValue;

    private PlainKey(String key, String name, @Nullable String channel, boolean anyValue) {
        super(key);
        this.name = name;
        this.channel = channel;
        this.anyValue = anyValue;
    }

    /** Returns the key of a name. */
    public static PlainKey of(String name) {
        return of(name, false);
    }

    /** Returns the key of a name under which every string is a lock, so that a forced release deletes it. */
    public static PlainKey ofAnyValue(String name) {
        return of(name, true);
    }

    private static PlainKey of(String name, boolean anyValue) {
        byte[] unused = Names.check("lock name", name);
        return new PlainKey(name, name, null, anyValue);
    }

    /** Returns the key under which Spring Integration keeps a lock of a registry. */
    public static PlainKey ofSpringIntegration(String registryKey, String name) {
        byte[] unused = Names.check("lock name", name);
        String key = registryKey + ":" + name;
        byte[] unusedToo = Names.check("registry key and lock name", key);
        return new PlainKey(key, name, registryKey + "-channel:" + key, false);
    }

    /**
     * Checks a registry key of Spring Integration.
     *
     * @throws IllegalArgumentException if it breaks the rule for names
     */
    public static void checkRegistry(String registryKey) {
        byte[] unused = Names.check("registry key", registryKey);
    }

    /** Returns the channel on which a release is published; null if on none. */
    public @Nullable String channel() {
        return channel;
    }

    /** Returns whether every string is a lock, also one that does not look like it. */
    public boolean isAnyValue() {
        return anyValue;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public LockKind kind() {
        return LockKind.PLAIN;
    }
}
