package dev.leasehold.internal.script;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** {@code renew.lua}: makes a hold last at least so long from now. */
public final class RenewScript {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("renew");

    private static final long NANOS_PER_MICRO = 1000;

    private final String retention;

    /** Binds what is the same for all calls of a client. */
    public RenewScript(Retention retention) {
        this.retention = retention.arg();
    }

    /** The outcomes; the header of the script says what each means. */
    public enum Code {
        RENEWED,
        ASKED,
        ENDED,
        GONE,
        FOREIGN
    }

    /** A parsed reply. What does not belong to the code is zero or empty. */
    public record Answer(Code code, ServerTime now, long leftNanos, String detail) {}

    /** The arguments in the order of the script. */
    public ScriptCall call(LockKey key, AcquisitionId id, LeaseSpan lease, long timeoutNanos) {
        return new ScriptCall(SCRIPT, List.of(key.key()), List.of(id.value(), lease.arg(), retention), timeoutNanos);
    }

    /** Reads a reply. */
    public static Answer parse(List<String> reply) {
        return answer(Reply.code(Code.class, reply), Reply.now(reply), Reply.text(reply, 2));
    }

    static Answer answer(Code code, ServerTime now, String detail) {
        return switch (code) {
            case RENEWED, ASKED -> new Answer(code, now, Long.parseLong(detail) * NANOS_PER_MICRO, "");
            case GONE, FOREIGN -> new Answer(code, now, 0, detail);
            case ENDED -> new Answer(code, now, 0, "");
        };
    }
}
