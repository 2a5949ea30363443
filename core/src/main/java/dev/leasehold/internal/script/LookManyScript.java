package dev.leasehold.internal.script;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;

/** {@code look_many.lua}: the heartbeats of positions in the queues of several locks. */
public final class LookManyScript {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("look_many");

    private static final long NANOS_PER_MICRO = 1000;

    private final String retention;

    /** Binds what is the same for all calls of a client. */
    public LookManyScript(Retention retention) {
        this.retention = retention.arg();
    }

    /** The outcomes; the header of the script says what each means. */
    public enum Code {
        EACH
    }

    /** The outcome for one position; the header of the script says what each means. */
    public enum Look {
        HEAD,
        NEXT,
        STAYS,
        ASKS,
        FAILED
    }

    /** A position in the queue of a lock. */
    public record Entry(LockKey key, Waiter waiter) {}

    /**
     * The outcome for one position.
     *
     * @param leftNanos of the holder's lease, at the head of the queue; else 0
     */
    public record Result(Look look, long leftNanos) {}

    /** The arguments in the order of the script. */
    public ScriptCall call(List<Entry> entries, long timeoutNanos) {
        List<String> keys = new ArrayList<>(entries.size());
        List<String> args = new ArrayList<>(1 + entries.size());
        args.add(retention);
        for (Entry entry : entries) {
            keys.add(entry.key.key());
            args.add(entry.waiter.position() + " " + entry.waiter.channel());
        }
        return new ScriptCall(SCRIPT, keys, args, timeoutNanos);
    }

    /**
     * Reads a reply to a call for so many entries.
     *
     * @throws IllegalStateException if it does not answer to each of them
     */
    public static Answer parse(List<String> reply, int entries) {
        Code code = Reply.code(Code.class, reply);
        List<String> results = reply.subList(2, reply.size());
        if (results.size() != 2 * entries) {
            throw new IllegalStateException(
                    "a script answered with " + results.size() + " words to " + entries + " entries");
        }
        return new Answer(code, Reply.now(reply), results);
    }

    /** A parsed reply: results as the script gives them, two words for each entry. */
    public record Answer(Code code, ServerTime now, List<String> results) {

        /** Returns the outcome for an entry. */
        public Result of(int entry) {
            Look look = Reply.code(Look.class, results.get(2 * entry));
            long left = look == Look.HEAD ? Long.parseLong(results.get(2 * entry + 1)) * NANOS_PER_MICRO : 0;
            return new Result(look, left);
        }
    }
}
