package dev.leasehold.internal.script;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;

/**
 * The scripts that acquire a lock in whatever state it is: {@code acquire.lua}, {@code acquire_named.lua} for named owners,
 * {@code acquire_shared.lua} for readers, and {@code acquire_permits.lua}. They have their first arguments and their
 * answers in common.
 */
public final class AcquireScript implements ScriptBinding<AcquireHold, AcquireHold.Answer> {

    /** {@code acquire.lua}, as sent. */
    public static final Script SCRIPT = Scripts.load("acquire");

    /** {@code acquire_named.lua}, as sent. */
    public static final Script NAMED = Scripts.load("acquire_named");

    /** {@code acquire_shared.lua}, as sent. */
    public static final Script SHARED = Scripts.load("acquire_shared");

    /** {@code acquire_permits.lua}, as sent. */
    public static final Script PERMITS = Scripts.load("acquire_permits");

    /** Before the time in the usual answer, which is one text: Redis sends it faster. */
    private static final String USUAL = "granted ";

    /** Behind the rank of a waiter that no wake-up would reach. */
    private static final String POLLS = "polls";

    private final TokenMemory memory;

    AcquireScript(TokenMemory memory) {
        this.memory = memory;
    }

    @Override
    public ScriptCall call(AcquireHold request) {
        Waiter waiter = request.waiter();
        List<String> args = new ArrayList<>(List.of(
                request.id().value(),
                Arg.of(request.lease()),
                Arg.of(request.notAfter()),
                Arg.of(request.floor()),
                memory.arg(),
                request.holder().who(),
                request.holder().label(),
                waiter.channel(),
                Long.toString(waiter.position()),
                Integer.toString(waiter.tokens()),
                Arg.of(waiter.fair())));
        Script script = scriptOf(request.key(), request.owner(), args);
        return new ScriptCall(script, List.of(request.key().key()), args, request.timeoutNanos());
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

    @Override
    public AcquireHold.Answer read(AcquireHold request, List<String> reply) {
        return answer(reply, request.lease());
    }

    /**
     * Reads a reply of any script that acquires.
     *
     * @param lease the requested lease, which a lock that was free is granted in full
     */
    static AcquireHold.Answer answer(List<String> reply, LeaseSpan lease) {
        if (reply.size() == 1 && reply.get(0).startsWith(USUAL)) {
            String usual = reply.get(0);
            long now = Long.parseLong(usual, USUAL.length(), usual.length(), 10);
            return new AcquireHold.Answer(AcquireHold.Code.GRANTED, new ServerTime(now), lease.nanos(), now, "");
        }
        AcquireHold.Code code = Reply.code(AcquireHold.Code.class, reply);
        ServerTime now = Reply.now(reply);
        return switch (code) {
            case GRANTED -> granted(reply, now);
            case BUSY ->
                new AcquireHold.Answer(
                        code,
                        now,
                        Reply.nanos(reply, 2),
                        0,
                        0,
                        "",
                        Reply.number(reply, 3),
                        reply.size() > 4 ? Math.toIntExact(Reply.number(reply, 4)) : AcquireHold.FURTHER,
                        Reply.text(reply, 5).equals(POLLS),
                        0);
            case CLOCK, EXHAUSTED, PERMITS -> new AcquireHold.Answer(code, now, 0, Reply.number(reply, 2), "");
            case FOREIGN -> new AcquireHold.Answer(code, now, 0, 0, Reply.text(reply, 2));
            case STALE, ENDED, UNDECIDED -> new AcquireHold.Answer(code, now, 0, 0, "");
        };
    }

    private static AcquireHold.Answer granted(List<String> reply, ServerTime now) {
        return new AcquireHold.Answer(
                AcquireHold.Code.GRANTED,
                now,
                Reply.nanos(reply, 2),
                Reply.number(reply, 3),
                Reply.number(reply, reply.size() > 4 ? 4 : 3),
                "",
                0,
                AcquireHold.FURTHER,
                false,
                0);
    }
}
