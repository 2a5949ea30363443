package dev.leasehold.internal.script;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** {@code go_on.lua}: asks whether a process may hand off a lock to its own waiters again. */
public final class GoOnScript {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("go_on");

    private final String retention;

    /** Binds what is the same for all calls of a client. */
    public GoOnScript(Retention retention) {
        this.retention = retention.arg();
    }

    /** The outcomes; the header of the script says what each means. */
    public enum Code {
        GOING,
        WANTED,
        ENDED,
        GONE,
        FOREIGN
    }

    /** A parsed reply. What does not belong to the code is zero or empty. */
    public record Answer(Code code, ServerTime now, long leftNanos, long token, long lastToken, String detail) {}

    /** The arguments in the order of the script. */
    public ScriptCall call(
            LockKey key, AcquisitionId id, LeaseSpan lease, long position, int tokens, long timeoutNanos) {
        List<String> args =
                List.of(id.value(), lease.arg(), retention, Long.toString(position), Integer.toString(tokens));
        return new ScriptCall(SCRIPT, List.of(key.key()), args, timeoutNanos);
    }

    /** Reads a reply. */
    public static Answer parse(List<String> reply) {
        Code code = Reply.code(Code.class, reply);
        ServerTime now = Reply.now(reply);
        return switch (code) {
            case GOING ->
                new Answer(
                        code, now, Reply.number(reply, 2) * 1000, Reply.number(reply, 3), Reply.number(reply, 4), "");
            case GONE, FOREIGN -> new Answer(code, now, 0, 0, 0, Reply.text(reply, 2));
            case WANTED, ENDED -> new Answer(code, now, 0, 0, 0, "");
        };
    }
}
