package dev.leasehold.internal.script;

import dev.leasehold.internal.store.ResumeHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** {@code resume.lua}: takes an exported hold over from its holder. */
public final class ResumeScript implements ScriptBinding<ResumeHold, ResumeHold.Answer> {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("resume");

    private final String memory;

    ResumeScript(TokenMemory memory) {
        this.memory = memory.arg();
    }

    @Override
    public ScriptCall call(ResumeHold request) {
        List<String> args = List.of(
                request.id().value(),
                request.former().id().value(),
                request.owner().field(),
                Arg.of(request.lease()),
                Arg.of(request.notAfter()),
                Arg.of(request.former().copiesUntil()),
                Arg.of(request.floor()),
                memory,
                request.holder().who(),
                request.holder().label());
        return new ScriptCall(SCRIPT, List.of(request.key().key()), args, request.timeoutNanos());
    }

    @Override
    public ResumeHold.Answer read(ResumeHold request, List<String> reply) {
        ResumeHold.Code code = Reply.code(ResumeHold.Code.class, reply);
        ServerTime now = Reply.now(reply);
        return switch (code) {
            case GRANTED -> new ResumeHold.Answer(code, now, Reply.nanos(reply, 2), Reply.number(reply, 3), "");
            case CLOCK, EXHAUSTED -> new ResumeHold.Answer(code, now, 0, Reply.number(reply, 2), "");
            case SEVERAL, GONE, FOREIGN -> new ResumeHold.Answer(code, now, 0, 0, Reply.text(reply, 2));
            case STALE, ENDED -> new ResumeHold.Answer(code, now, 0, 0, "");
        };
    }
}
