package dev.leasehold.internal.script;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;

/** {@code acquire.lua}: enters a hold and mints the fencing token. */
public final class AcquireScript {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("prelude", "acquire");

    private final String retention;

    /** Binds what is the same for all calls of a client. */
    public AcquireScript(Retention retention) {
        this.retention = retention.arg();
    }

    /** The outcomes; the header of the script says what each means. */
    public enum Code {
        GRANTED,
        BUSY,
        STALE,
        ENDED,
        CLOCK,
        EXHAUSTED,
        PERMITS,
        FOREIGN
    }

    /** A parsed reply. What does not belong to the code is zero or empty. */
    public record Answer(
            Code code, ServerTime now, long leftNanos, long token, long lastToken, String found, long place, int rank) {

        private Answer(Code code, ServerTime now, long leftNanos, long token, String found) {
            this(code, now, leftNanos, token, token, found, 0, FURTHER);
        }
    }

    /** The rank of a waiter that is neither the head of the queue, 0, nor the next, 1. */
    public static final int FURTHER = 2;

    /** The arguments in the order of the script. */
    public ScriptCall call(
            LockKey key,
            AcquisitionId id,
            OwnerKey owner,
            LeaseSpan lease,
            ServerTime notAfter,
            TokenFloor floor,
            Holder holder,
            Waiter waiter,
            long timeoutNanos) {
        List<String> args = List.of(
                id.value(),
                ownerField(key, owner),
                lease.arg(),
                notAfter.arg(),
                floor.arg(),
                retention,
                holder.who(),
                holder.label(),
                waiter.channel(),
                Long.toString(waiter.place()),
                Integer.toString(waiter.tokens()),
                waiter.fair() ? "1" : "0");
        if (key instanceof PermitKey permits) {
            args = new ArrayList<>(args);
            args.add(Integer.toString(permits.wanted()));
            args.add(Integer.toString(permits.total()));
        }
        return new ScriptCall(SCRIPT, List.of(key.key()), args, timeoutNanos);
    }

    private static String ownerField(LockKey key, OwnerKey owner) {
        return switch (key.kind()) {
            case READ -> OwnerKey.READERS;
            case PERMITS -> OwnerKey.PERMITS;
            case STANDARD, PLAIN, QUORUM -> owner.field();
        };
    }

    /** Reads a reply. */
    public static Answer parse(List<String> reply) {
        Code code = Reply.code(Code.class, reply);
        ServerTime now = Reply.now(reply);
        return switch (code) {
            case GRANTED ->
                new Answer(
                        code,
                        now,
                        Reply.number(reply, 2) * 1000,
                        Reply.number(reply, 3),
                        Reply.number(reply, reply.size() > 4 ? 4 : 3),
                        "",
                        0,
                        FURTHER);
            case BUSY ->
                new Answer(
                        code,
                        now,
                        Reply.number(reply, 2) * 1000,
                        0,
                        0,
                        "",
                        Reply.number(reply, 3),
                        reply.size() > 4 ? Math.toIntExact(Reply.number(reply, 4)) : FURTHER);
            case CLOCK, EXHAUSTED, PERMITS -> new Answer(code, now, 0, Reply.number(reply, 2), "");
            case FOREIGN -> new Answer(code, now, 0, 0, Reply.text(reply, 2));
            case STALE, ENDED -> new Answer(code, now, 0, 0, "");
        };
    }
}
