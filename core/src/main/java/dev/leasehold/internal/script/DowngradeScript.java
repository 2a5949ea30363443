package dev.leasehold.internal.script;

import dev.leasehold.internal.store.DowngradeHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** {@code downgrade.lua}: makes a writer's hold a reader's. */
public final class DowngradeScript implements ScriptBinding<DowngradeHold, DowngradeHold.Answer> {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("downgrade");

    private final String memory;

    DowngradeScript(TokenMemory memory) {
        this.memory = memory.arg();
    }

    @Override
    public ScriptCall call(DowngradeHold request) {
        List<String> args =
                List.of(request.id().value(), memory, Arg.of(request.floor()), Long.toString(request.given()));
        return new ScriptCall(SCRIPT, List.of(request.key().key()), args, request.timeoutNanos());
    }

    @Override
    public DowngradeHold.Answer read(DowngradeHold request, List<String> reply) {
        DowngradeHold.Code code = Reply.code(DowngradeHold.Code.class, reply);
        ServerTime now = Reply.now(reply);
        return switch (code) {
            case SHARED -> new DowngradeHold.Answer(code, now, Reply.nanos(reply, 2), Reply.number(reply, 3), "");
            case CLOCK, EXHAUSTED -> new DowngradeHold.Answer(code, now, 0, Reply.number(reply, 2), "");
            case GONE, FOREIGN -> new DowngradeHold.Answer(code, now, 0, 0, Reply.text(reply, 2));
            case ENDED -> new DowngradeHold.Answer(code, now, 0, 0, "");
        };
    }
}
