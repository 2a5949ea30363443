package dev.leasehold.internal.script;

import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** {@code force_release.lua}: takes the lock away and raises the last token. */
public final class ForceReleaseScript implements ScriptBinding<ForceRelease, ForceRelease.Answer> {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("force_release");

    private final String memory;
    private final String countsReceivers;

    ForceReleaseScript(TokenMemory memory, boolean countsReceivers) {
        this.memory = memory.arg();
        this.countsReceivers = Arg.of(countsReceivers);
    }

    @Override
    public ScriptCall call(ForceRelease request) {
        return new ScriptCall(
                SCRIPT,
                List.of(request.key().key()),
                List.of(
                        Arg.of(request.notAfter()),
                        Long.toString(request.token()),
                        memory,
                        countsReceivers,
                        request.cursor()),
                request.timeoutNanos());
    }

    @Override
    public ForceRelease.Answer read(ForceRelease request, List<String> reply) {
        return answer(reply);
    }

    static ForceRelease.Answer answer(List<String> reply) {
        ForceRelease.Code code = Reply.code(ForceRelease.Code.class, reply);
        return switch (code) {
            case MORE -> new ForceRelease.Answer(code, Reply.now(reply), Reply.text(reply, 2), Reply.number(reply, 3));
            case FREED -> new ForceRelease.Answer(code, Reply.now(reply), "", Math.max(1, Reply.number(reply, 2)));
            case FREE, OTHER, STALE, FOREIGN ->
                new ForceRelease.Answer(code, Reply.now(reply), Reply.text(reply, 2), 0);
        };
    }
}
