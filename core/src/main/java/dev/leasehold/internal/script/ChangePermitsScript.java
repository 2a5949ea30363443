package dev.leasehold.internal.script;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** {@code change_permits.lua}: changes how many permits a semaphore has. */
public final class ChangePermitsScript {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("change_permits");

    private final String retention;
    private final String countsReceivers;

    /**
     * Binds what is the same for all calls of a client.
     *
     * @param countsReceivers whether a message that Redis delivered to no subscriber was received by none
     */
    public ChangePermitsScript(Retention retention, boolean countsReceivers) {
        this.retention = retention.arg();
        this.countsReceivers = countsReceivers ? "1" : "0";
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
                SCRIPT, List.of(key.key()), List.of(Integer.toString(total), retention, countsReceivers), timeoutNanos);
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
