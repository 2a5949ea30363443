package dev.leasehold.internal.script;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** {@code force_release.lua}: takes the lock away and raises the last token. */
public final class ForceReleaseScript {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("force_release");

    private final String retention;
    private final String countsReceivers;

    /**
     * Binds what is the same for all calls of a client.
     *
     * @param countsReceivers whether a message that Redis delivered to no subscriber was received by none
     */
    public ForceReleaseScript(Retention retention, boolean countsReceivers) {
        this.retention = retention.arg();
        this.countsReceivers = countsReceivers ? "1" : "0";
    }

    /** The outcomes; the header of the script says what each means. */
    public enum Code {
        FREED,
        FREE,
        FOREIGN
    }

    /** A parsed reply. */
    public record Answer(Code code, ServerTime now, String detail) {}

    /** The arguments in the order of the script. */
    public ScriptCall call(LockKey key, long timeoutNanos) {
        return new ScriptCall(SCRIPT, List.of(key.key()), List.of(retention, countsReceivers), timeoutNanos);
    }

    /** Reads a reply. */
    public static Answer parse(List<String> reply) {
        return new Answer(Reply.code(Code.class, reply), Reply.now(reply), Reply.text(reply, 2));
    }
}
