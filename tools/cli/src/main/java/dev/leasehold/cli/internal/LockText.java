package dev.leasehold.cli.internal;

import dev.leasehold.inspect.LockInfo;
import dev.leasehold.inspect.WaiterInfo;
import dev.leasehold.recipes.LatchInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats a lock, its holder or a latch for the terminal. */
public final class LockText {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    private LockText() {}

    /**
     * Returns the kind of a lock.
     *
     * @param lock the lock
     * @return one word
     */
    public static String kind(LockInfo lock) {
        return lock.shared() ? "readers" : lock.permits() > 0 ? "semaphore" : "lock";
    }

    /** Returns the remaining count of a latch, or of its present round. */
    static String count(LatchInfo latch) {
        String round = latch.round() == null ? "" : "round " + latch.round() + " ";
        return round + (latch.count() == 0 ? "reached" : latch.count() + " to count");
    }

    /** Returns the time until a latch expires; a latch that was reached has none. */
    static String left(LatchInfo latch) {
        return time(latch.left());
    }

    /** Returns the start of the hold, in the time zone of this machine. */
    static String since(LockInfo lock) {
        Instant since = lock.since();
        return since == null ? "an unknown time" : TIME.format(since);
    }

    /** Returns what a waiter waits for. */
    static String wants(WaiterInfo waiter) {
        return switch (waiter.wants()) {
            case LOCK -> "lock";
            case READ -> "read";
            case PERMITS -> waiter.permits() == 1 ? "1 permit" : waiter.permits() + " permits";
        };
    }

    /**
     * Returns a text from Redis in printable form.
     *
     * @param text a name, or null or an empty text if it is unknown
     * @return the printable form, or a dash
     */
    public static String orDash(@Nullable String text) {
        return text == null || text.isEmpty() ? "-" : Text.name(text);
    }

    /**
     * Returns the id of a process.
     *
     * @param pid the id, 0 if it is unknown
     * @return the id, or a dash
     */
    public static String pid(long pid) {
        return pid == 0 ? "-" : String.valueOf(pid);
    }

    /**
     * Returns a time.
     *
     * @param time the time, or null if it is unknown
     * @return the formatted time, or a dash
     */
    public static String time(@Nullable Duration time) {
        return time == null ? "-" : Durations.format(time);
    }

    /** Returns the printable form of the columns that describe one waiter. */
    static String[] waiter(WaiterInfo waiter) {
        Instant since = waiter.since();
        return new String[] {
            String.valueOf(waiter.position()),
            wants(waiter),
            orDash(waiter.owner()),
            orDash(waiter.host()),
            pid(waiter.pid()),
            orDash(waiter.thread()),
            since == null ? "-" : TIME.format(since),
            waiter.alive() ? "" : "dead"
        };
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
