package dev.leasehold.internal.wakeup;

import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * The channel on which a client receives wake-ups.
 *
 * @param prefix the prefix of the keys of its locks, and of the channel
 * @param client a name that no other client has
 */
public record WakeChannel(KeyPrefix prefix, String client) {

    private static final int MAX_DIGITS = 16;

    /** The position of a waiter in the queue of a lock: it is to poll. */
    record WakeMessage(long position, LockKey key) {}

    /** Returns the name of the channel. */
    public String name() {
        return prefix.value() + ":w:" + client;
    }

    /** Returns the name of the channel of a shard, to which the same client subscribes there. */
    public String name(String shard) {
        return shard.isEmpty() ? name() : name() + "{" + shard + "}";
    }

    /** Parses a message: the position, a blank and the key; null if it is something else. */
    @Nullable
    WakeMessage read(String message) {
        int blank = message.indexOf(' ');
        String position = message.substring(0, Math.max(0, blank));
        if (position.isEmpty()
                || position.length() > MAX_DIGITS
                || !position.chars().allMatch(WakeChannel::isDigit)) {
            return null;
        }
        LockKey key = LockKey.parse(prefix, message.substring(blank + 1));
        return key == null ? null : new WakeMessage(Long.parseLong(position), key);
    }

    private static boolean isDigit(int character) {
        return character >= '0' && character <= '9';
    }
}
