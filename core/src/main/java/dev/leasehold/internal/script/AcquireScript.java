package dev.leasehold.internal.script;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;

/**
 * The scripts that acquire a lock in whatever state it is: {@code acquire.lua}, {@code acquire_named.lua} for named owners,
 * {@code acquire_shared.lua} for readers, and {@code acquire_permits.lua}. They have their first arguments and their
 * answers in common. {@code acquire_free.lua} is for a lock that is free.
 */
public final class AcquireScript {

    /** {@code acquire.lua}, as sent. */
    public static final Script SCRIPT = Scripts.load("acquire");

    /** {@code acquire_named.lua}, as sent. */
    public static final Script NAMED = Scripts.load("acquire_named");

    /** {@code acquire_shared.lua}, as sent. */
    public static final Script SHARED = Scripts.load("acquire_shared");

    /** {@code acquire_permits.lua}, as sent. */
    public static final Script PERMITS = Scripts.load("acquire_permits");

    /** {@code acquire_free.lua}, as sent. */
    public static final Script FREE = Scripts.load("acquire_free");

    private final Retention retention;

    /** Binds what is the same for all calls of a client. */
    public AcquireScript(Retention retention) {
        this.retention = retention;
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
        FOREIGN,
        UNDECIDED
    }

    /** A parsed reply. What does not belong to the code is zero or empty. */
    public record Answer(
            Code code,
            ServerTime now,
            long leftNanos,
            long token,
            long lastToken,
            String found,
            long position,
            int rank) {

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
        List<String> args = new ArrayList<>(List.of(
                id.value(),
                lease.arg(),
                notAfter.arg(),
                floor.arg(),
                retention.arg(),
                holder.who(),
                holder.label(),
                waiter.channel(),
                Long.toString(waiter.position()),
                Integer.toString(waiter.tokens()),
                waiter.fair() ? "1" : "0"));
        return new ScriptCall(scriptOf(key, owner, args), List.of(key.key()), args, timeoutNanos);
    }

    /** Returns the script for a key and an owner, and adds the arguments that only this script has. */
    private static Script scriptOf(LockKey key, OwnerKey owner, List<String> args) {
        if (key instanceof PermitKey permits) {
            args.add(Integer.toString(permits.wanted()));
            args.add(Integer.toString(permits.total()));
            return PERMITS;
        }
        if (key.kind() == LockKind.READ) {
            return SHARED;
        }
        if (owner.named()) {
            args.add(owner.field());
            return NAMED;
        }
        return SCRIPT;
    }

    /** The arguments of {@code acquire_free.lua}, for an acquisition that was not sent before and is its own owner. */
    public ScriptCall callIfFree(
            LockKey key,
            AcquisitionId id,
            LeaseSpan lease,
            ServerTime notAfter,
            TokenFloor floor,
            Holder holder,
            long timeoutNanos) {
        List<String> args = new ArrayList<>(
                List.of(id.value(), lease.arg(), notAfter.arg(), floor.arg(), retention.expiryOf(lease), holder.who()));
        if (!holder.label().isEmpty()) {
            args.add(holder.label());
        }
        return new ScriptCall(FREE, List.of(key.key()), args, timeoutNanos);
    }

    /** Reads a reply of a script that decides in any state of the lock. */
    public static Answer parse(List<String> reply) {
        return parse(reply, LeaseSpan.CONFIRM);
    }

    /**
     * Reads a reply of any of these scripts.
     *
     * @param lease what was asked for, which a lock that was free is granted in full
     */
    public static Answer parse(List<String> answer, LeaseSpan lease) {
        List<String> reply = Reply.parts(answer);
        Code code = Reply.code(Code.class, reply);
        ServerTime now = Reply.now(reply);
        return switch (code) {
            case GRANTED ->
                reply.size() == 2 ? new Answer(code, now, lease.nanos(), now.micros(), "") : granted(reply, now);
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
            case STALE, ENDED, UNDECIDED -> new Answer(code, now, 0, 0, "");
        };
    }

    private static Answer granted(List<String> reply, ServerTime now) {
        return new Answer(
                Code.GRANTED,
                now,
                Reply.number(reply, 2) * 1000,
                Reply.number(reply, 3),
                Reply.number(reply, reply.size() > 4 ? 4 : 3),
                "",
                0,
                FURTHER);
    }
}
