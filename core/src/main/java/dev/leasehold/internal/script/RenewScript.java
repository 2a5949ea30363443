package dev.leasehold.internal.script;

import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** {@code renew.lua}: makes a hold last at least so long from now. */
public final class RenewScript implements ScriptBinding<RenewHold, RenewHold.Answer> {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.loadTracked("renew");

    private final String memory;

    RenewScript(TokenMemory memory) {
        this.memory = memory.arg();
    }

    @Override
    public ScriptCall call(RenewHold request) {
        return new ScriptCall(
                SCRIPT,
                List.of(request.key().key()),
                List.of(request.id().value(), Arg.of(request.lease()), memory),
                request.timeoutNanos());
    }

    @Override
    public RenewHold.Answer read(RenewHold request, List<String> reply) {
        return answer(reply);
    }

    /** Reads the reply of a script that renews one hold. */
    static RenewHold.Answer answer(List<String> reply) {
        return answer(Reply.code(RenewHold.Code.class, reply), Reply.now(reply), Reply.text(reply, 2));
    }

    /** Reads the detail of an outcome for one hold. */
    static RenewHold.Answer answer(RenewHold.Code code, ServerTime now, String detail) {
        return switch (code) {
            case RENEWED, ASKED -> new RenewHold.Answer(code, now, Reply.nanos(detail), "");
            case GONE, FOREIGN -> new RenewHold.Answer(code, now, 0, detail);
            case ENDED -> new RenewHold.Answer(code, now, 0, "");
        };
    }
}
