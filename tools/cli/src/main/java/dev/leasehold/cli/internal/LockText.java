package dev.leasehold.cli.internal;

import dev.leasehold.inspect.LatchInfo;
import dev.leasehold.inspect.LockInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Formats a lock, its holder or a latch for the terminal. */
public final class LockText {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    private LockText() {}

    /** Returns the kind of lock, in one word. */
    static String kind(LockInfo lock) {
        return lock.shared() ? "readers" : lock.permits() > 0 ? "semaphore" : "lock";
    }

    /** Returns the remaining count of a latch. */
    static String count(LatchInfo latch) {
        return latch.count() == 0 ? "reached" : latch.count() + " to count";
    }

    /** Returns the time until a latch expires; a latch that was reached has none. */
    static String left(LatchInfo latch) {
        Duration left = latch.left();
        return left == null ? "-" : Durations.format(left);
    }

    /** Returns the start of the hold, in the time zone of this machine. */
    static String since(LockInfo lock) {
        Instant since = lock.since();
        return since == null ? "an unknown time" : TIME.format(since);
    }

    /**
     * Describes the holder in half a sentence.
     *
     * @param lock the lock
     * @return the holder, the start of the hold, and the time that its lease has left
     */
    public static String holder(LockInfo lock) {
        if (lock.since() == null) {
            return "another library, whose lease has " + Durations.format(lock.left()) + " left";
        }
        return "process " + lock.pid() + " on " + Text.name(lock.host()) + " (thread " + Text.name(lock.thread())
                + (lock.ownerNamed() ? ", owner " + Text.name(lock.owner()) : "") + "), since " + since(lock)
                + ", its lease has " + Durations.format(lock.left()) + " left";
    }
}
