package dev.leasehold.internal.client;

import dev.leasehold.LockFormat;
import dev.leasehold.internal.connect.LockFormats;
import dev.leasehold.internal.key.KeyFormat;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.NamePattern;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which keys a listing reads.
 *
 * @param type the type of the keys, as SCAN names it
 * @param match the pattern of the keys, as SCAN reads it
 * @param read returns what key of a lock a text is; null if it is none
 */
record ListedKeys(String type, String match, Function<String, @Nullable LockKey> read) {

    /** Returns those of all locks and latches of this library. */
    static ListedKeys own(KeyPrefix prefix) {
        return new ListedKeys("hash", prefix.scanPattern(), key -> LockKey.parse(prefix, key));
    }

    /** Returns those that may be locks of a format, with the names that a pattern matches. */
    static ListedKeys of(KeyPrefix prefix, String pattern, LockFormat format) {
        NamePattern names = new NamePattern(pattern);
        if (format == LockFormat.leasehold()) {
            ListedKeys all = own(prefix);
            return new ListedKeys(all.type, all.match, key -> {
                LockKey lock = all.read.apply(key);
                return lock != null && names.matches(lock.name()) ? lock : null;
            });
        }
        KeyFormat keys = (KeyFormat) format;
        String head = keys.head();
        return new ListedKeys(keys.type(), new NamePattern(head + pattern).glob(), key -> {
            String name = key.startsWith(head) ? key.substring(head.length()) : "";
            return names.matches(name) ? lock(prefix, name, format) : null;
        });
    }

    private static @Nullable LockKey lock(KeyPrefix prefix, String name, LockFormat format) {
        try {
            return LockFormats.key(prefix, name, format);
        } catch (IllegalArgumentException e) {
            // No lock can have this name.
            return null;
        }
    }
}
