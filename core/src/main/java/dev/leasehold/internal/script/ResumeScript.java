package dev.leasehold.internal.script;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** {@code resume.lua}: takes an exported hold over from its holder. */
public final class ResumeScript {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("resume");

    private final String retention;

    /** Binds what is the same for all calls of a client. */
    public ResumeScript(Retention retention) {
        this.retention = retention.arg();
    }

    /** The outcomes; the header of the script says what each means. */
    public enum Code {
        GRANTED,
        SEVERAL,
        GONE,
        STALE,
        ENDED,
        CLOCK,
        EXHAUSTED,
        FOREIGN
    }

    /**
     * The hold that is taken over.
     *
     * @param id under which Redis knows it
     * @param copiesUntil until when a late copy of its acquire must be refused
     */
    public record Former(AcquisitionId id, ServerTime copiesUntil) {}

    /** A parsed reply. What does not belong to the code is zero or empty. */
    public record Answer(Code code, ServerTime now, long leftNanos, long token, String detail) {}

    /** The arguments in the order of the script. */
    public ScriptCall call(
            LockKey key,
            AcquisitionId id,
            Former former,
            OwnerKey owner,
            LeaseSpan lease,
            ServerTime notAfter,
            TokenFloor floor,
            Holder holder,
            long timeoutNanos) {
        List<String> args = List.of(
                id.value(),
                former.id().value(),
                owner.field(),
                lease.arg(),
                notAfter.arg(),
                former.copiesUntil().arg(),
                floor.arg(),
                retention,
                holder.who(),
                holder.label());
        return new ScriptCall(SCRIPT, List.of(key.key()), args, timeoutNanos);
    }

    /** Reads a reply. */
    public static Answer parse(List<String> reply) {
        Code code = Reply.code(Code.class, reply);
        ServerTime now = Reply.now(reply);
        return switch (code) {
            case GRANTED -> new Answer(code, now, Reply.number(reply, 2) * 1000, Reply.number(reply, 3), "");
            case CLOCK, EXHAUSTED -> new Answer(code, now, 0, Reply.number(reply, 2), "");
            case SEVERAL, GONE, FOREIGN -> new Answer(code, now, 0, 0, Reply.text(reply, 2));
            case STALE, ENDED -> new Answer(code, now, 0, 0, "");
        };
    }
}
