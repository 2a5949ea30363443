package dev.leasehold.internal.script;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** {@code release.lua}: removes one hold. */
public final class ReleaseScript {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("release");

    private final Retention retention;
    private final String countsReceivers;

    /**
     * Binds what is the same for all calls of a client.
     *
     * @param countsReceivers whether a message that Redis delivered to no subscriber was received by none
     */
    public ReleaseScript(Retention retention, boolean countsReceivers) {
        this.retention = retention;
        this.countsReceivers = countsReceivers ? "1" : "0";
    }

    /** The outcomes; the header of the script says what each means. */
    public enum Code {
        RELEASED,
        ENDED,
        GONE,
        FOREIGN
    }

    /** A parsed reply. What does not belong to the code is empty, and the time is {@link ServerTime#NONE} if it is absent. */
    public record Answer(Code code, ServerTime now, String detail) {}

    /**
     * The arguments in the order of the script.
     *
     * @param longest at least the length of the hold
     * @param lean whether {@code acquire_free.lua} granted the hold, without a label
     */
    public ScriptCall call(
            LockKey key, AcquisitionId id, LeaseSpan longest, boolean lean, ServerTime notAfter, long timeoutNanos) {
        boolean usual = lean && notAfter.equals(ServerTime.NONE) && !retention.isShortFor(longest);
        return new ScriptCall(
                SCRIPT,
                List.of(key.key()),
                List.of(id.value(), notAfter.arg(), retention.arg(), countsReceivers, usual ? "1" : "0"),
                timeoutNanos);
    }

    /** Reads a reply. */
    public static Answer parse(List<String> reply) {
        Code code = Reply.code(Code.class, reply);
        ServerTime now = code == Code.RELEASED && reply.size() == 1 ? ServerTime.NONE : Reply.now(reply);
        return new Answer(code, now, Reply.text(reply, 2));
    }
}
