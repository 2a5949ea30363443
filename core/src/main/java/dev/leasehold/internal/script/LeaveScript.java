package dev.leasehold.internal.script;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** {@code leave.lua}: gives up a position in the queue. */
public final class LeaveScript {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("leave");

    private final String countsReceivers;

    /**
     * Binds what is the same for all calls of a client.
     *
     * @param countsReceivers whether a message that Redis delivered to no subscriber was received by none
     */
    public LeaveScript(boolean countsReceivers) {
        this.countsReceivers = countsReceivers ? "1" : "0";
    }

    /** The outcomes; the header of the script says what each means. */
    public enum Code {
        LEFT,
        GONE,
        FOREIGN
    }

    /** A parsed reply. What does not belong to the code is empty. */
    public record Answer(Code code, ServerTime now, String detail) {}

    /** The arguments in the order of the script. */
    public ScriptCall call(LockKey key, Waiter waiter, long timeoutNanos) {
        return new ScriptCall(
                SCRIPT,
                List.of(key.key()),
                List.of(Long.toString(waiter.position()), waiter.channel(), countsReceivers),
                timeoutNanos);
    }

    /** Reads a reply. */
    public static Answer parse(List<String> reply) {
        return new Answer(Reply.code(Code.class, reply), Reply.now(reply), Reply.text(reply, 2));
    }
}
