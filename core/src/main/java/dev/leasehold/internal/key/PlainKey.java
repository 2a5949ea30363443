package dev.leasehold.internal.key;

import org.jspecify.annotations.Nullable;

/** The key of a plain lock: its name, unencoded, because other programs with the same convention must find it. */
public final class PlainKey extends LockKey {

    private final String name;
    private final @Nullable String channel;

    private PlainKey(String key, String name, @Nullable String channel) {
        super(key);
        this.name = name;
        this.channel = channel;
    }

    /** Returns the key of a name. */
    public static PlainKey of(String name) {
        byte[] unused = Names.check("lock name", name);
        return new PlainKey(name, name, null);
    }

    /** Returns the key under which Spring Integration keeps a lock of a registry. */
    public static PlainKey ofSpringIntegration(String registryKey, String name) {
        byte[] unused = Names.check("lock name", name);
        String key = registryKey + ":" + name;
        byte[] unusedToo = Names.check("registry key and lock name", key);
        return new PlainKey(key, name, registryKey + "-channel:" + key);
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

    @Override
    public String name() {
        return name;
    }

    @Override
    public LockKind kind() {
        return LockKind.PLAIN;
    }
}
