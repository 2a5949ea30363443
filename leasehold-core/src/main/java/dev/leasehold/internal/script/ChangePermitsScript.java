package dev.leasehold.internal.script;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** {@code change_permits.lua}: changes how many permits a semaphore has. */
public final class ChangePermitsScript {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("prelude", "change_permits");

    private final String retention;
    private final String sure;

    /**
     * Binds what is the same for all calls of a client.
     *
     * @param sure whether a message that nobody received was heard by nobody: so on a single server
     */
    public ChangePermitsScript(Retention retention, boolean sure) {
        this.retention = retention.arg();
        this.sure = sure ? "1" : "0";
    }

    /** The outcomes; the header of the script says what each means. */
    public enum Code {
        CHANGED,
        FOREIGN
    }

    /** A parsed reply. What does not belong to the code is zero or empty. */
    public record Answer(Code code, ServerTime now, int before, String found) {}

    /** The arguments in the order of the script. */
    public ScriptCall call(LockKey key, int total, long timeoutNanos) {
        return new ScriptCall(
                SCRIPT, List.of(key.key()), List.of(Integer.toString(total), retention, sure), timeoutNanos);
    }

    /** Reads a reply. */
    public static Answer parse(List<String> reply) {
        Code code = Reply.code(Code.class, reply);
        ServerTime now = Reply.now(reply);
        return switch (code) {
            case CHANGED -> new Answer(code, now, Math.toIntExact(Reply.number(reply, 2)), "");
            case FOREIGN -> new Answer(code, now, 0, Reply.text(reply, 2));
        };
    }
}
