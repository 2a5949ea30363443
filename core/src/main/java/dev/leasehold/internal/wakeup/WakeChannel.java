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

    /** The first word of a message that asks this client to release a hold that it retains; an older client ignores it. */
    private static final String RELEASE = "release";

    private static final long NO_POSITION = -1;

    /** The position of a waiter in the queue of a lock: it is to poll. Without a position, the client is to release the lock. */
    record WakeMessage(long position, LockKey key) {

        boolean asksForRelease() {
            return position == NO_POSITION;
        }
    }

    /** Returns the name of the channel. */
    public String name() {
        return prefix.value() + ":w:" + client;
    }

    /** Returns the name of the channel of a shard, to which the same client subscribes there. */
    public String name(String shard) {
        return shard.isEmpty() ? name() : name() + "{" + shard + "}";
    }

    /** Parses a message: the position or {@code release}, a blank and the key; null if it is something else. */
    @Nullable
    WakeMessage read(String message) {
        int blank = message.indexOf(' ');
        String first = message.substring(0, Math.max(0, blank));
        if (!first.equals(RELEASE) && !isPosition(first)) {
            return null;
        }
        LockKey key = LockKey.parse(prefix, message.substring(blank + 1));
        return key == null ? null : new WakeMessage(first.equals(RELEASE) ? NO_POSITION : Long.parseLong(first), key);
    }

    private static boolean isPosition(String text) {
        return !text.isEmpty() && text.length() <= MAX_DIGITS && text.chars().allMatch(WakeChannel::isDigit);
    }

    private static boolean isDigit(int character) {
        return character >= '0' && character <= '9';
    }
}
