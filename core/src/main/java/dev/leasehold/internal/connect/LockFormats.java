package dev.leasehold.internal.connect;

import dev.leasehold.LockFormat;
import dev.leasehold.internal.key.KeyFormat;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.NamePattern;
import dev.leasehold.internal.key.Names;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The formats of locks by patterns of their names, and the keys of locks in their formats. Immutable. */
public final class LockFormats {

    private final Map<NamePattern, LockFormat> formats = new LinkedHashMap<>();

    /** Keeps formats by patterns, in which {@code *} stands for any text; of several that match a name, the first counts. */
    public LockFormats(Map<String, LockFormat> byPattern) {
        byPattern.forEach((pattern, format) -> formats.put(new NamePattern(pattern), format));
    }

    /** Returns whether all locks have the format of this library. */
    public boolean isEmpty() {
        return formats.isEmpty();
    }

    /** Returns the format of the lock of a name. */
    public LockFormat of(String name) {
        Objects.requireNonNull(name, "lock name");
        for (Map.Entry<NamePattern, LockFormat> each : formats.entrySet()) {
            if (each.getKey().matches(name)) {
                return each.getValue();
            }
        }
        return LockFormat.leasehold();
    }

    /**
     * Refuses what only the format of this library keeps.
     *
     * @throws UnsupportedOperationException if the lock of this name has another format
     */
    public void needOwn(String what, String name) {
        LockFormat format = of(name);
        if (format != LockFormat.leasehold()) {
            throw new UnsupportedOperationException(what + " is refused for '" + Names.escape(name)
                    + "': lockFormat(...) keeps such locks in the format " + Names.escape(format.toString())
                    + ", which has only lock(name). Use that, another name, or another pattern");
        }
    }

    /**
     * Returns the key of a lock.
     *
     * @param prefix the prefix of keys in the format of this library
     * @throws IllegalArgumentException if the name breaks the rule, or would be a key of this library in a format of others
     */
    public static LockKey key(KeyPrefix prefix, String name, LockFormat format) {
        LockKey key = ((KeyFormat) Objects.requireNonNull(format, "format")).key(prefix, name);
        if (format != LockFormat.leasehold() && key.key().startsWith(prefix.start())) {
            throw new IllegalArgumentException("lock name '" + Names.escape(name) + "' in the format "
                    + Names.escape(format.toString()) + " is the key '" + Names.escape(key.key())
                    + "', and those that begin with '" + prefix.start()
                    + "' are Leasehold's own: use another name, or lock(name) without a format");
        }
        return key;
    }
}
