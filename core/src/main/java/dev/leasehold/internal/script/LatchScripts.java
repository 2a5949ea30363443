package dev.leasehold.internal.script;

import dev.leasehold.internal.key.CountDownId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** Those of latches. */
public final class LatchScripts {

    /** {@code latch_set.lua}, as sent. */
    public static final Script SET = Scripts.load("latch_set");

    /** {@code latch_count_down.lua}, as sent. */
    public static final Script COUNT_DOWN = Scripts.load("latch_count_down");

    /** {@code latch_look.lua}, as sent. */
    public static final Script LOOK = Scripts.load("latch_look");

    private static final long NANOS_PER_MICRO = 1000;

    private LatchScripts() {}

    /** How setting ends; the header of the script says what each means. */
    public enum Setting {
        SET,
        THERE,
        STALE,
        FOREIGN
    }

    /** How counting down ends; the header of the script says what each means. */
    public enum Counting {
        COUNTED,
        OVER,
        NONE,
        STALE,
        FOREIGN
    }

    /** What is seen; the header of the script says what each means. */
    public enum Seen {
        REACHED,
        COUNTING,
        NONE,
        FOREIGN
    }

    /** A parsed reply to setting. What does not belong to the code is empty. */
    public record SetAnswer(Setting code, ServerTime now, String found) {}

    /** A parsed reply to counting down. What does not belong to the code is 0 or empty. */
    public record CountAnswer(Counting code, ServerTime now, int count, String found) {}

    /** A parsed reply to a look. What does not belong to the code is 0 or empty. */
    public record LookAnswer(Seen code, ServerTime now, long leftNanos, int count, long position, String found) {}

    /** Sets the count of a latch that is not there. */
    public static ScriptCall set(
            LockKey key, CountDownId id, int count, LeaseSpan expiry, ServerTime notAfter, long timeoutNanos) {
        return call(SET, key, timeoutNanos, id.field(), Integer.toString(count), expiry.arg(), notAfter.arg());
    }

    /** Counts down, once for each id. */
    public static ScriptCall countDown(LockKey key, CountDownId id, ServerTime notAfter, long timeoutNanos) {
        return call(COUNT_DOWN, key, timeoutNanos, id.field(), notAfter.arg());
    }

    /** Reads a latch; a waiter without a channel is not entered. */
    public static ScriptCall look(LockKey key, Waiter waiter, long timeoutNanos) {
        return call(LOOK, key, timeoutNanos, waiter.channel(), Long.toString(waiter.position()));
    }

    private static ScriptCall call(Script script, LockKey key, long timeoutNanos, String... args) {
        return new ScriptCall(script, List.of(key.key()), List.of(args), timeoutNanos);
    }

    /** Reads a reply to setting. */
    public static SetAnswer parseSet(List<String> reply) {
        return new SetAnswer(Reply.code(Setting.class, reply), Reply.now(reply), Reply.text(reply, 2));
    }

    /** Reads a reply to counting down. */
    public static CountAnswer parseCount(List<String> reply) {
        Counting code = Reply.code(Counting.class, reply);
        return switch (code) {
            case COUNTED -> new CountAnswer(code, Reply.now(reply), (int) Reply.number(reply, 2), "");
            case OVER, NONE, STALE, FOREIGN -> new CountAnswer(code, Reply.now(reply), 0, Reply.text(reply, 2));
        };
    }

    /** Reads a reply to a look. */
    public static LookAnswer parseLook(List<String> reply) {
        Seen code = Reply.code(Seen.class, reply);
        ServerTime now = Reply.now(reply);
        return switch (code) {
            case COUNTING ->
                new LookAnswer(
                        code,
                        now,
                        Reply.number(reply, 2) * NANOS_PER_MICRO,
                        (int) Reply.number(reply, 3),
                        Reply.number(reply, 4),
                        "");
            case REACHED, NONE, FOREIGN -> new LookAnswer(code, now, 0, 0, 0, Reply.text(reply, 2));
        };
    }
}
