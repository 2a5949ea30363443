package dev.leasehold.internal.script;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** {@code request_release.lua}: asks whoever holds the lock to release it. */
public final class RequestReleaseScript {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("request_release");

    private final String retention;

    /** Binds what is the same for all calls of a client. */
    public RequestReleaseScript(Retention retention) {
        this.retention = retention.arg();
    }

    /** The outcomes; the header of the script says what each means. */
    public enum Code {
        REQUESTED,
        FREE,
        FOREIGN
    }

    /** A parsed reply. */
    public record Answer(Code code, ServerTime now, String detail) {}

    /** The arguments in the order of the script. */
    public ScriptCall call(LockKey key, long timeoutNanos) {
        return new ScriptCall(SCRIPT, List.of(key.key()), List.of(retention), timeoutNanos);
    }

    /** Reads a reply. */
    public static Answer parse(List<String> reply) {
        return new Answer(Reply.code(Code.class, reply), Reply.now(reply), Reply.text(reply, 2));
    }
}
