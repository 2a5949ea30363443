package dev.leasehold.internal.script;

import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** {@code release.lua}: removes one hold. */
public final class ReleaseScript implements ScriptBinding<ReleaseHold, ReleaseHold.Answer> {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("release");

    private final TokenMemory memory;
    private final String memoryArg;
    private final String countsReceivers;

    ReleaseScript(TokenMemory memory, boolean countsReceivers) {
        this.memory = memory;
        this.memoryArg = memory.arg();
        this.countsReceivers = Arg.of(countsReceivers);
    }

    /** Returns whether the release begins with the usual case, in which only three fields are deleted. */
    boolean isUsual(ReleaseHold request) {
        return request.lean() && request.notAfter().equals(ServerTime.NONE) && !memory.isShortFor(request.longest());
    }

    @Override
    public ScriptCall call(ReleaseHold request) {
        String id = request.id().value();
        String notAfter = Arg.of(request.notAfter());
        String usual = Arg.of(isUsual(request));
        ReleaseHold.Tokens tokens = request.tokens();
        List<String> args = tokens == null
                ? List.of(id, notAfter, memoryArg, countsReceivers, usual)
                : List.of(
                        id,
                        notAfter,
                        memoryArg,
                        countsReceivers,
                        usual,
                        Long.toString(tokens.used()),
                        Long.toString(tokens.last()));
        return new ScriptCall(SCRIPT, List.of(request.key().key()), args, request.timeoutNanos());
    }

    @Override
    public ReleaseHold.Answer read(ReleaseHold request, List<String> reply) {
        return answer(reply);
    }

    static ReleaseHold.Answer answer(List<String> reply) {
        ReleaseHold.Code code = Reply.code(ReleaseHold.Code.class, reply);
        boolean withoutTime = code == ReleaseHold.Code.RELEASED && reply.size() == 1;
        return new ReleaseHold.Answer(code, withoutTime ? ServerTime.NONE : Reply.now(reply), Reply.text(reply, 2));
    }
}
