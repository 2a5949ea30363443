package dev.leasehold.internal.script;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** {@code downgrade.lua}: makes a writer's hold a reader's. */
public final class DowngradeScript {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("downgrade");

    private final String retention;

    /** Binds what is the same for all calls of a client. */
    public DowngradeScript(Retention retention) {
        this.retention = retention.arg();
    }

    /** The outcomes; the header of the script says what each means. */
    public enum Code {
        SHARED,
        ENDED,
        GONE,
        EXHAUSTED,
        FOREIGN
    }

    /** A parsed reply. What does not belong to the code is zero or empty. */
    public record Answer(Code code, ServerTime now, long leftNanos, long token, String detail) {}

    /** The arguments in the order of the script. */
    public ScriptCall call(LockKey key, AcquisitionId id, long timeoutNanos) {
        return new ScriptCall(SCRIPT, List.of(key.key()), List.of(id.value(), retention), timeoutNanos);
    }

    /** Reads a reply. */
    public static Answer parse(List<String> reply) {
        Code code = Reply.code(Code.class, reply);
        ServerTime now = Reply.now(reply);
        return switch (code) {
            case SHARED -> new Answer(code, now, Reply.number(reply, 2) * 1000, Reply.number(reply, 3), "");
            case EXHAUSTED -> new Answer(code, now, 0, Reply.number(reply, 2), "");
            case GONE, FOREIGN -> new Answer(code, now, 0, 0, Reply.text(reply, 2));
            case ENDED -> new Answer(code, now, 0, 0, "");
        };
    }
}
