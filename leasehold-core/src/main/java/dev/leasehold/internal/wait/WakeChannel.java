package dev.leasehold.internal.wait;

import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * The channel on which a client hears wake-ups.
 *
 * @param prefix what the keys of its locks begin with, and so the channel
 * @param client what no other client has
 */
public record WakeChannel(KeyPrefix prefix, String client) {

    private static final int MOST_DIGITS = 16;

    /** A place in the queue of a lock, whose turn it is to look. */
    record WakeMessage(long place, LockKey key) {}

    /** The name of the channel. */
    public String name() {
        return prefix.value() + ":w:" + client;
    }

    /** The name of the channel of a shard: heard there only, and by the same client. */
    public String name(String shard) {
        return shard.isEmpty() ? name() : name() + "{" + shard + "}";
    }

    /** Reads a message, the place, a blank and the key; null if it is something else. */
    @Nullable
    WakeMessage read(String message) {
        int blank = message.indexOf(' ');
        String place = message.substring(0, Math.max(0, blank));
        if (place.isEmpty() || place.length() > MOST_DIGITS || !place.chars().allMatch(WakeChannel::isDigit)) {
            return null;
        }
        LockKey key = LockKey.parse(prefix, message.substring(blank + 1));
        return key == null ? null : new WakeMessage(Long.parseLong(place), key);
    }

    private static boolean isDigit(int character) {
        return character >= '0' && character <= '9';
    }
}
